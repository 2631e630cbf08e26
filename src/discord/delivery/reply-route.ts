// How a reply's messages are reached. First by the interaction's token, for its fifteen minutes; then by the bot's own token, if the bot is
// in the channel and everyone sees the reply. If no interaction asked, it is the bot's token from the start. Decides no retries, no pace.
import { ACKNOWLEDGEMENT_RACE_MS, NONCE_LIFE_MS, TOKEN_LIFE_MS } from "../../core/limits.ts";
import type { RateLimiter, SendKind } from "../rest/rate-limiter.ts";
import type { Refused } from "../rest/refusal.ts";
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
import { decideSendFailure } from "../rest/send-failure.ts";
import type { PartsLedger } from "./parts-ledger.ts";

/** What a reply route is made of. */
export interface ReplyRouteParams {
  rest: DiscordRest;
  rateLimiter: Pick<RateLimiter, "readyAt">;
  /** The first endpoint. An interaction's webhook has already made the first message; at any other endpoint it has to be created. */
  endpoint: Endpoint;
  /** The endpoint after the token expires; null if the bot is not a member or has no token. */
  botEndpoint: ChannelEndpoint | null;
  turnId: string;
  /** When the token's life began, in epoch milliseconds. */
  acknowledgedAt: number;
  /** The deferred response belongs to another reply (a scene's header), and this reply's messages follow it. */
  asFollowups?: boolean;
  /** The message that the bot's first message replies to. */
  repliesTo: string | null;
  ledger: PartsLedger;
  links: ReplyLinks;
  /**
   * The channel's webhook is gone or has another token, or the channel is closed to the bot: finds another endpoint, or null. Then the
   * ledger's messages can't be changed any more. `isNameless`: no webhook may post under this name, or with this picture.
   */
  revoice?: (isNameless: boolean) => Promise<Endpoint | null>;
  /** Looks in the channel for the reply's first message, of which nobody knows whether it was made. `content`: what it is to show. */
  findFirst?: (content: string | null) => Promise<FoundMessage>;
  /** Looks in the channel for the response to the interaction, whose token stays unknown; null: it is not there. */
  findResponse?: () => Promise<Pick<SentMessage, "id" | "ephemeral"> | null | undefined>;
}

/** `later`: Discord could not be asked. `unknown`: nobody can tell. */
export type FoundMessage = Pick<SentMessage, "id" | "ephemeral"> | "none" | "later" | "unknown";

/** How the links of a reply are shown. Asked before each request. */
export interface ReplyLinks {
  /** May Discord show previews of them? */
  arePreviewed(): boolean;
  /** The text as it is sent: never longer than the given one. */
  shown(text: string): string;
}

/** Links as they are written, without previews. */
export const plainLinks: ReplyLinks = { arePreviewed: () => false, shown: (text) => text };

/** A request that nobody answered may still have an effect so long after it was sent: whoever looks earlier may miss its message. */
const SETTLED_MS = 10_000;

/** The route of one reply: a token, a newer token from a click, the bot's own token. */
export class ReplyRoute {
  readonly #params: ReplyRouteParams;
  #endpoint: Endpoint;
  /** When the current token was received, in epoch milliseconds. Discord may need a moment to accept it. */
  openedAt: number;
  /** Only one person sees the reply: only the token reaches it, and each further message has to be made so, too (Discord). */
  #isEphemeral = false;
  #repliesTo: string | null;
  /** Its first message says which question it answers, so it can be found in the channel. */
  #isFindable: boolean;
  /** When the current endpoint expires. */
  expiresAt: number;
  /** How many of the first messages were made with a token that has expired. */
  frozen: number;

  constructor(params: ReplyRouteParams) {
    this.#params = params;
    this.#endpoint = params.endpoint;
    this.#repliesTo = params.repliesTo;
    this.#isFindable = params.findFirst !== undefined;
    this.openedAt = params.acknowledgedAt;
    this.frozen = frozenIn(params.ledger);
    this.expiresAt = this.hasToken ? params.acknowledgedAt + TOKEN_LIFE_MS : Number.POSITIVE_INFINITY;
  }

  /** The first message exists without our doing: it is the deferred response. */
  get isDeferred(): boolean {
    return this.hasToken && this.#params.asFollowups !== true;
  }

  get isByBot(): boolean {
    return isByBot(this.#endpoint);
  }

  /** The reply depends, or depended, on an interaction's token. */
  get hasToken(): boolean {
    return "token" in this.#params.endpoint;
  }

  /** The channel is closed to us. Where only a person has installed us the bot is not a member; a click would still bring a token. */
  get ifClosed(): "token_expired" | "no_access" {
    return this.isByBot && this.hasToken ? "token_expired" : "no_access";
  }

  /**
   * What follows where Discord did not know the webhook of a request that was sent then (epoch milliseconds). Where a message of the reply
   * exists, it never got our answer to the click that brought the token. The response itself may be there all the same
   * (discord/discord-api-docs#7220): then the bot continues in it. Later: as right after the acknowledgement, nobody can tell yet.
   */
  async ifUnknown(sentAt: number): Promise<"again" | "refused" | "token_expired" | "gone" | "later"> {
    const { botEndpoint, findResponse, ledger } = this.#params;
    if (sentAt < this.openedAt + ACKNOWLEDGEMENT_RACE_MS) return "later";
    if (!this.hasToken) return "refused";
    const known = ledger.parts()[0]?.id;
    const isSought = botEndpoint && this.isDeferred && !known;
    const found = isSought && findResponse ? await findResponse() : null;
    if (found === undefined) return "later";
    if (found) ledger.sent(0, found);
    return this.switchToBot() ? "again" : known ? "token_expired" : "gone";
  }

  /** Switches to a new token from a click, received at `openedAt`. */
  renew(endpoint: InteractionEndpoint, openedAt: number): void {
    this.#endpoint = endpoint;
    this.openedAt = openedAt;
    this.frozen = frozenIn(this.#params.ledger);
    this.expiresAt = openedAt + TOKEN_LIFE_MS;
  }

  /** The reply's messages can be reached without the interaction's token, now or after it expires. */
  get outlivesToken(): boolean {
    const { botEndpoint, ledger } = this.#params;
    return this.isByBot || (botEndpoint !== null && !this.#isEphemeral && Boolean(ledger.parts()[0]?.id));
  }

  /** Switches to the bot's own token after the interaction's has expired. False if that is not possible. */
  switchToBot(): boolean {
    const { botEndpoint } = this.#params;
    if (!botEndpoint || this.isByBot || !this.outlivesToken) return false;
    this.#endpoint = botEndpoint;
    this.expiresAt = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Notes whether the first message is ephemeral; then the bot can't reach it later. */
  saw(index: number, { ephemeral }: Pick<SentMessage, "ephemeral">): void {
    if (index === this.frozen) this.#isEphemeral ||= ephemeral;
  }

  /** True if Discord would answer a repeated creation with the message that may exist already. */
  isRecognized(index: number, now: number): boolean {
    const { state, since } = this.#params.ledger.parts()[index] ?? {};
    return this.isByBot && state === "sending" && since !== undefined && now < since + NONCE_LIFE_MS;
  }

  /** True if the creation may be repeated: at once, or once it is known that the channel has no such message. */
  mayRepeat(index: number, now: number): boolean {
    const isSending = !this.hasToken && this.#params.ledger.parts()[index]?.state === "sending";
    return this.isRecognized(index, now) || (index === 0 && isSending && this.#params.findFirst !== undefined);
  }

  /** Looks for a message that may exist, where Discord would recognize no repetition any more, or never would: a webhook's. */
  async find(index: number, now: number, content: string | null): Promise<FoundMessage> {
    const { ledger, findFirst } = this.#params;
    // A message that was posted without pointing to its question can't be told from another.
    if (index !== 0 || !this.#isFindable || !findFirst) return "unknown";
    const isSettled = now >= (ledger.parts()[index]?.since ?? 0) + SETTLED_MS;
    const found = await findFirst(content);
    return found === "none" && !isSettled ? "later" : found;
  }

  /** When Discord's limits let such a request out, as far as they are known. */
  readyAt(kind: SendKind): number {
    return this.#params.rateLimiter.readyAt(this.#endpoint, kind);
  }

  /**
   * Creates a message. The nonce lets Discord drop a repetition. Tries once more without the reply where Discord refuses that, and with
   * another voice if the webhook can't be used.
   */
  async create(index: number, body: MessageBody): Promise<RestResult> {
    const { rest, turnId } = this.#params;
    const post = () => {
      const reply = index === 0 && this.#repliesTo !== null ? { repliesTo: this.#repliesTo } : {};
      return rest.create(this.#endpoint, { ...this.#asSent(body), ...reply }, `${turnId}-${index}`);
    };
    const result = await post();
    if (index === 0 && this.#repliesTo !== null && isReplyRefused(result)) {
      this.#repliesTo = null;
      this.#isFindable = false;
      return post();
    }
    return (await this.#isRevoiced(result)) ? post() : result;
  }

  /** Where another webhook takes over, nothing was changed, and there is more to send. */
  async edit(index: number, body: MessageBody): Promise<RestResult> {
    // For a token, `@original` is the message that it answers or the one whose button was clicked: the first that it reaches.
    const isOriginal = index === this.frozen && this.isDeferred && !this.isByBot;
    const id = isOriginal ? ORIGINAL : this.#idOf(index);
    const result = await this.#params.rest.edit(this.#endpoint, id, this.#asSent(body));
    return (await this.#isRevoiced(result)) ? { ok: false, kind: "unreachable", text: "" } : result;
  }

  async #isRevoiced(result: RestResult): Promise<boolean> {
    const { revoice, ledger } = this.#params;
    const closed = this.isByBot && isByBot(this.#params.endpoint) ? ["channel_gone", "silenced"] : undefined;
    const endpoint = revoice && isMute(result, closed) ? await revoice(result.code === INVALID_FORM) : null;
    if (!endpoint) return false;
    this.#endpoint = endpoint;
    this.frozen = frozenIn(ledger);
    return true;
  }

  #asSent(body: MessageBody): MessageBody {
    const { links } = this.#params;
    const words = body.content && { content: links.shown(body.content) };
    return { ...body, ...words, ephemeral: this.#isEphemeral, linkPreviews: links.arePreviewed() };
  }

  remove(index: number): Promise<RestResult> {
    return this.#params.rest.remove(this.#endpoint, this.#idOf(index));
  }

  #idOf(index: number): string {
    return this.#params.ledger.parts()[index]?.id ?? "";
  }
}

const frozenIn = (ledger: PartsLedger) => ledger.parts().filter(({ frozen }) => frozen).length;

const HISTORY_HIDDEN = 160002;
const INVALID_FORM = 50035;

/** We may not read the channel's history, or the message is one to which no one can reply: nothing was posted. */
export const isReplyRefused = (result: RestResult): boolean =>
  !result.ok &&
  result.kind === "refused" &&
  (result.code === HISTORY_HIDDEN || (result.code === INVALID_FORM && result.text.includes("message_reference")));

/** By default: no webhook has this token, or Discord refuses its name or picture (not all such are documented). Nothing was posted. */
const isMute = (result: RestResult, failures = ["webhook_unknown", "token_expired"]): result is Refused =>
  !result.ok &&
  result.kind === "refused" &&
  (failures.includes(decideSendFailure(result)) || /"(username|avatar_url)"/.test(result.text));
