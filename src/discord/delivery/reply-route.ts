// Chooses how a reply's messages are reached: first by the interaction's token, for its fifteen minutes, then by the bot's own token, if the bot
// is in the channel and everyone sees the reply. Without an interaction, it is the bot's token from the start. Decides no retries and no pace.
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

/** What a reply route needs. */
export interface ReplyRouteParams {
  rest: DiscordRest;
  rateLimiter: Pick<RateLimiter, "readyAt">;
  /** The first endpoint. At an interaction's webhook the first message already exists; at any other endpoint it must be created. */
  endpoint: Endpoint;
  /** The endpoint after the token expires; null if the bot is not a member or has no token. */
  botEndpoint: ChannelEndpoint | null;
  turnId: string;
  /** When the token's life began, in epoch milliseconds. */
  acknowledgedAt: number;
  /** The deferred response belongs to something else (a scene's header), and this reply's messages follow it. */
  asFollowups?: boolean;
  /** The message that the bot's first message replies to. */
  repliesTo: string | null;
  ledger: PartsLedger;
  links: ReplyLinks;
  /**
   * Finds another endpoint if the channel's webhook is gone or has another token, or the channel is closed to the bot; null if there is none.
   * After a change the ledger's messages can't be edited any more. `isNameless`: no webhook may post under this name, or with this picture.
   */
  revoice?: (isNameless: boolean) => Promise<Endpoint | null>;
  /** Looks in the channel for the reply's first message, which may or may not exist. `content`: what it should show. */
  findFirst?: (content: string | null) => Promise<FoundMessage>;
  /** Looks in the channel for the response to the interaction, if Discord keeps refusing its token. Null: not there; undefined: not known yet. */
  findResponse?: () => Promise<Pick<SentMessage, "id" | "ephemeral"> | null | undefined>;
}

/** The message, or why there is none. `later`: Discord could not be asked now. `unknown`: it can't be found out. */
export type FoundMessage = Pick<SentMessage, "id" | "ephemeral"> | "none" | "later" | "unknown";

/** How the links of a reply are shown. Read before each request. */
export interface ReplyLinks {
  /** Whether Discord may show previews of them. */
  arePreviewed(): boolean;
  /** Returns the text in the form in which it is sent: never longer than the given one. */
  shown(text: string): string;
}

/** Leaves links as they are written, without previews. */
export const plainLinks: ReplyLinks = { arePreviewed: () => false, shown: (text) => text };

/** A request without an answer may still take effect this long after it was sent. Looking for its message earlier may miss it. */
const SETTLED_MS = 10_000;

/** The route of one reply: a token, a newer token from a click, the bot's own token. */
export class ReplyRoute {
  readonly #params: ReplyRouteParams;
  #endpoint: Endpoint;
  /** When the current token was received, in epoch milliseconds. Discord may need a moment to accept it. */
  openedAt: number;
  /** Only one person sees the reply: only the token reaches it, and each further message must be created as ephemeral, too (Discord). */
  #isEphemeral = false;
  #repliesTo: string | null;
  /** The reply's first message can be found in the channel, because it says which question it answers. */
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

  /** Whether the first message already exists as the deferred response. */
  get isDeferred(): boolean {
    return this.hasToken && this.#params.asFollowups !== true;
  }

  get isByBot(): boolean {
    return isByBot(this.#endpoint);
  }

  /** Whether the reply depends, or depended, on an interaction's token. */
  get hasToken(): boolean {
    return "token" in this.#params.endpoint;
  }

  /** What follows if the channel is closed to us. If only a person installed us, the bot is not a member, but a click would still bring a token. */
  get ifClosed(): "token_expired" | "no_access" {
    return this.isByBot && this.hasToken ? "token_expired" : "no_access";
  }

  /**
   * Decides what follows if Discord did not know the webhook of a request that was sent at `sentAt` (epoch milliseconds). If a message of the
   * reply exists, Discord never got our answer to the click that brought the token. Otherwise the response may exist all the same
   * (discord/discord-api-docs#7220); then the bot continues in it. `later`: not known yet, as right after the acknowledgement.
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

  /** Whether the reply's messages can be reached without the interaction's token, now or after it expires. */
  get outlivesToken(): boolean {
    const { botEndpoint, ledger } = this.#params;
    return this.isByBot || (botEndpoint !== null && !this.#isEphemeral && Boolean(ledger.parts()[0]?.id));
  }

  /** Switches to the bot's own token after the interaction's has expired. Returns false if that is not possible. */
  switchToBot(): boolean {
    const { botEndpoint } = this.#params;
    if (!botEndpoint || this.isByBot || !this.outlivesToken) return false;
    this.#endpoint = botEndpoint;
    this.expiresAt = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Notes whether the first message is ephemeral, in which case the bot can't reach it later. */
  saw(index: number, { ephemeral }: Pick<SentMessage, "ephemeral">): void {
    if (index === this.frozen) this.#isEphemeral ||= ephemeral;
  }

  /** Whether Discord would answer a repeated create with the message that may exist already. */
  isRecognized(index: number, now: number): boolean {
    const { state, since } = this.#params.ledger.parts()[index] ?? {};
    return this.isByBot && state === "sending" && since !== undefined && now < since + NONCE_LIFE_MS;
  }

  /** Whether the create may be repeated: at once, or after a look at the channel has shown that the message is not there. */
  mayRepeat(index: number, now: number): boolean {
    const isSending = !this.hasToken && this.#params.ledger.parts()[index]?.state === "sending";
    return this.isRecognized(index, now) || (index === 0 && isSending && this.#params.findFirst !== undefined);
  }

  /** Looks for a message that may exist, when Discord no longer recognizes a repeated create, or never does, as for a webhook's message. */
  async find(index: number, now: number, content: string | null): Promise<FoundMessage> {
    const { ledger, findFirst } = this.#params;
    // A message that doesn't point to its question can't be distinguished from others.
    if (index !== 0 || !this.#isFindable || !findFirst) return "unknown";
    const isSettled = now >= (ledger.parts()[index]?.since ?? 0) + SETTLED_MS;
    const found = await findFirst(content);
    return found === "none" && !isSettled ? "later" : found;
  }

  /** Returns when Discord's limits allow a request of this kind, as far as they are known. */
  readyAt(kind: SendKind): number {
    return this.#params.rateLimiter.readyAt(this.#endpoint, kind);
  }

  /**
   * Creates a message. The nonce lets Discord drop a repetition. Retries once without the reply if Discord refuses that, and with another voice
   * if the webhook can't be used.
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

  /** Edits a message. If another webhook takes over, nothing was changed; `unreachable` then makes the caller plan again. */
  async edit(index: number, body: MessageBody): Promise<RestResult> {
    // For a token, `@original` is the deferred response or the message whose button was clicked: the first message that it can reach.
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

/** Whether a reply was refused, because we may not read the channel's history or nobody can reply to that message. Nothing was posted. */
export const isReplyRefused = (result: RestResult): boolean =>
  !result.ok &&
  result.kind === "refused" &&
  (result.code === HISTORY_HIDDEN || (result.code === INVALID_FORM && result.text.includes("message_reference")));

/** Whether this voice can't post: no webhook has its token (the default), or its name or picture is refused, for reasons not all documented. */
const isMute = (result: RestResult, failures = ["webhook_unknown", "token_expired"]): result is Refused =>
  !result.ok &&
  result.kind === "refused" &&
  (failures.includes(decideSendFailure(result)) || /"(username|avatar_url)"/.test(result.text));
