// The way by which a reply's messages are reached: the interaction's token for its fifteen minutes, then, where the bot is in the
// channel and everybody sees the reply, the bot's own token. Decides over no retry and no pace.
import { TOKEN_LIFE_MS } from "../core/limits.ts";
import type { PartsLedger } from "./parts-ledger.ts";
import {
  type ChannelRoute,
  type DiscordRest,
  type MessageBody,
  ORIGINAL,
  type ReplyRoute,
  type RestResult,
  type SentMessage,
  type WebhookRoute,
} from "./rest.ts";

/** What a way is made of. */
export interface ReplyWayParams {
  rest: DiscordRest;
  route: WebhookRoute;
  /** The way behind the token's end; null where the bot is no member or has no token. */
  botRoute: ChannelRoute | null;
  turnId: string;
  acknowledgedAt: number;
  ledger: PartsLedger;
}

/** One reply's way; it changes once at most. */
export class ReplyWay {
  readonly #params: ReplyWayParams;
  #route: ReplyRoute;
  /** Discord forced the reply to be seen by one person alone; then only the token reaches it. */
  #isEphemeral = false;
  /** When the present way ends. */
  endsAt: number;

  constructor(params: ReplyWayParams) {
    this.#params = params;
    this.#route = params.route;
    this.endsAt = params.acknowledgedAt + TOKEN_LIFE_MS;
  }

  /** The token is over. True: the bot's way goes on. */
  goOn(): boolean {
    const { botRoute, ledger } = this.#params;
    if (!botRoute || this.#isByBot() || this.#isEphemeral || !ledger.parts()[0]?.id) return false;
    this.#route = botRoute;
    this.endsAt = Number.POSITIVE_INFINITY;
    return true;
  }

  /** What Discord says of the first message decides whether the bot may reach it later. */
  saw(index: number, { ephemeral }: Pick<SentMessage, "ephemeral">): void {
    if (index === 0) this.#isEphemeral ||= ephemeral;
  }

  create(index: number, body: MessageBody): Promise<RestResult> {
    return this.#params.rest.create(this.#route, body, `${this.#params.turnId}-${index}`);
  }

  edit(index: number, body: MessageBody): Promise<RestResult> {
    const id = index === 0 && !this.#isByBot() ? ORIGINAL : this.#idOf(index);
    return this.#params.rest.edit(this.#route, id, body);
  }

  remove(index: number): Promise<RestResult> {
    return this.#params.rest.remove(this.#route, this.#idOf(index));
  }

  #idOf(index: number): string {
    return this.#params.ledger.parts()[index]?.id ?? "";
  }

  #isByBot(): boolean {
    return !("token" in this.#route);
  }
}
