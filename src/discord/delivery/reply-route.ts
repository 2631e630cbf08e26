// The way by which a reply's messages are reached: the interaction's token for its fifteen minutes, then, where the bot is in the
// channel and everybody sees the reply, the bot's own token; or that one from the start, where no interaction asked. Decides
// over no retry and no pace.
import { NONCE_LIFE_MS, TOKEN_LIFE_MS } from "../../core/limits.ts";
import type { RateLimiter, SendKind } from "../rest/rate-limiter.ts";
import {
  type ChannelEndpoint,
  type DiscordRest,
  type Endpoint,
  type InteractionEndpoint,
  isByBot,
  type MessageBody,
  ORIGINAL,
  type RestResult,
  type SentMessage,
} from "../rest/rest.ts";
import type { PartsLedger } from "./parts-ledger.ts";

/** What a way is made of. */
export interface ReplyRouteParams {
  rest: DiscordRest;
  rateLimiter: RateLimiter;
  /** The first way. An interaction's webhook has made the first message already; by any other way it has to be created. */
  endpoint: Endpoint;
  /** The way behind the token's end; null where the bot is no member or has no token. */
  botEndpoint: ChannelEndpoint | null;
  turnId: string;
  /** When the token's life began. */
  acknowledgedAt: number;
  /** The deferred response belongs to another reply (a scene's first line): this one's messages follow it. */
  asFollowups?: boolean;
  /** The message that a first one of the bot's own points to. */
  repliesTo: string | null;
  ledger: PartsLedger;
  /** Discord may unfold the links of the reply. */
  linkPreviews: boolean;
  /** The channel's webhook is gone or has another token: finds or makes one and answers with its route; null without. */
  revoice?: () => Promise<Endpoint | null>;
}

/** One reply's way: a token, a newer one that a press brought, the bot's own. */
export class ReplyRoute {
  readonly #params: ReplyRouteParams;
  #route: Endpoint;
  /** When the way was opened: Discord may need a moment to know it. */
  openedAt: number;
  /** Discord forced the reply to be seen by one person alone; then only the token reaches it. */
  #isEphemeral = false;
  /** When the present way ends. */
  expiresAt: number;
  /** Messages that were made with a token that is over: the first ones of the reply. */
  frozen: number;

  constructor(params: ReplyRouteParams) {
    this.#params = params;
    this.#route = params.endpoint;
    this.openedAt = params.acknowledgedAt;
    this.frozen = frozenIn(params.ledger);
    this.expiresAt = this.hasToken ? params.acknowledgedAt + TOKEN_LIFE_MS : Number.POSITIVE_INFINITY;
  }

  /** The first message is there without our doing: the deferred response. */
  get isDeferred(): boolean {
    return this.hasToken && this.#params.asFollowups !== true;
  }

  get isByBot(): boolean {
    return isByBot(this.#route);
  }

  /** The reply hangs on an interaction's token, or did until it was over. */
  get hasToken(): boolean {
    return "token" in this.#params.endpoint;
  }

  /** The bot's way stands in for a token that is over. */
  get isSecond(): boolean {
    return this.isByBot && this.hasToken;
  }

  /** A press brought a new token; `openedAt` is when. */
  renew(route: InteractionEndpoint, openedAt: number): void {
    this.#route = route;
    this.openedAt = openedAt;
    this.frozen = frozenIn(this.#params.ledger);
    this.expiresAt = openedAt + TOKEN_LIFE_MS;
  }

  /** Messages of the reply can be reached without the token, now or when it is over. */
  get outlivesToken(): boolean {
    const { botEndpoint, ledger } = this.#params;
    return this.isByBot || (botEndpoint !== null && !this.#isEphemeral && Boolean(ledger.parts()[0]?.id));
  }

  /** The token is over. True: the bot's way goes on. */
  switchToBot(): boolean {
    const { botEndpoint } = this.#params;
    if (!botEndpoint || this.isByBot || !this.outlivesToken) return false;
    this.#route = botEndpoint;
    this.expiresAt = Number.POSITIVE_INFINITY;
    return true;
  }

  /** What Discord says of the first message decides whether the bot may reach it later. */
  saw(index: number, { ephemeral }: Pick<SentMessage, "ephemeral">): void {
    if (index === this.frozen) this.#isEphemeral ||= ephemeral;
  }

  /** Of a creation with an unknown outcome: Discord would answer its repetition with the message that is there already. */
  mayRepeat(index: number, now: number): boolean {
    const { state, since } = this.#params.ledger.parts()[index] ?? {};
    return this.isByBot && state === "sending" && since !== undefined && now < since + NONCE_LIFE_MS;
  }

  /** When Discord's limits let such a request out, as far as they are known. */
  readyAt(kind: SendKind): number {
    return this.#params.rateLimiter.readyAt(this.#route, kind);
  }

  async create(index: number, body: MessageBody): Promise<RestResult> {
    const { rest, turnId, repliesTo, linkPreviews, revoice } = this.#params;
    const reply = index === 0 && repliesTo !== null ? { repliesTo } : {};
    const post = () => rest.create(this.#route, { ...body, linkPreviews, ...reply }, `${turnId}-${index}`);
    const result = await post();
    if (!revoice || !isWithoutWebhook(result)) return result;
    const route = await revoice();
    if (route) this.#route = route;
    return route ? post() : result;
  }

  edit(index: number, body: MessageBody): Promise<RestResult> {
    // To a token, the original is the message that it answers or was pressed on: the first that it reaches.
    const isOriginal = index === this.frozen && this.isDeferred && !this.isByBot;
    const id = isOriginal ? ORIGINAL : this.#idOf(index);
    const { rest, linkPreviews } = this.#params;
    return rest.edit(this.#route, id, { ...body, linkPreviews });
  }

  remove(index: number): Promise<RestResult> {
    return this.#params.rest.remove(this.#route, this.#idOf(index));
  }

  #idOf(index: number): string {
    return this.#params.ledger.parts()[index]?.id ?? "";
  }
}

const frozenIn = (ledger: PartsLedger) => ledger.parts().filter(({ frozen }) => frozen).length;

const UNKNOWN_WEBHOOK = 10015;
const INVALID_WEBHOOK_TOKEN = 50027;

/** Nothing was posted: the webhook that was to post it does not exist, or not with this token. */
const isWithoutWebhook = (result: RestResult): boolean =>
  !result.ok && result.kind === "refused" && [UNKNOWN_WEBHOOK, INVALID_WEBHOOK_TOKEN].includes(result.code);
