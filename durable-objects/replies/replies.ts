// Owns the replies of a channel's unfinished turns, one for each turn, from the first queue position to the final edit.

import { say } from "../../src/core/copy/notices.ts";
import type { Offer } from "../../src/core/decisions/offer.ts";
import { QUEUE_EDIT_GAP_MS } from "../../src/core/limits.ts";
import { isKnownTo } from "../../src/core/state/private-turns.ts";
import type { ChannelState, TurnRecord } from "../../src/core/state/record.ts";
import type { Delivered } from "../../src/discord/delivery/parts-ledger.ts";
import type { InteractionEndpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { saidText } from "../turn/turn-texts.ts";
import { createPersonaReply } from "./persona-reply.ts";
import { QuestionSigns } from "./question-signs.ts";
import { SceneHeaders } from "./scene-headers.ts";
import { readStrays, type StraysUntil } from "./strays.ts";
import { createPump, type OnGone } from "./turn-pump.ts";
import { Typing } from "./typing.ts";
import { type TurnReply, VoiceReply } from "./voice-reply.ts";

/** How many finished replies with a button are kept. Older buttons stay in Discord, and a click on one says why it does nothing. */
const MAX_ROUTES = 20;

/** Keeps one reply per turn, made on first use. */
export class Replies {
  /** Shows the bot as typing, for all questions of the channel. */
  readonly typing: Typing;
  /** Reactions on questions that are messages. */
  readonly signs: QuestionSigns;
  readonly #ports: ChannelPorts;
  readonly #onGone: OnGone;
  readonly #straysUntil: StraysUntil;
  readonly #scenes: SceneHeaders;
  readonly #replies = new Map<string, TurnReply>();
  readonly #routes = new Map<string, Pick<TurnRecord, "request" | "voice">>();

  /** Made when a life begins. */
  constructor(ports: ChannelPorts, onGone: OnGone) {
    this.#ports = ports;
    this.#onGone = onGone;
    this.#straysUntil = readStrays(ports);
    this.#scenes = new SceneHeaders(ports, onGone, this.#straysUntil);
    this.typing = new Typing(ports);
    this.signs = new QuestionSigns(ports);
  }

  /** Returns the turn's reply, which includes what an earlier life may have sent. */
  of(turn: TurnRecord): TurnReply {
    const known = this.#replies.get(turn.id);
    if (known) return known;
    const reply = this.#create(turn);
    this.#replies.set(turn.id, reply);
    return reply;
  }

  #create(turn: TurnRecord): TurnReply {
    const { scene, webhookChannelId } = turn.request;
    // While a thread is being opened, the bot itself says where the answer will be.
    const isBots = webhookChannelId === undefined || turn.threadSince !== undefined;
    const strayUntil = this.#straysUntil(turn);
    if (!scene && isBots) return createPump(this.#ports, turn, this.#onGone, { strayUntil });
    if (scene) this.#scenes.show(turn, scene);
    return createPersonaReply(this.#ports, turn, {
      onGone: this.#onGone,
      strayUntil,
      headerShown: async () => scene && this.#scenes.shown(turn, scene),
      over: async (before) => {
        // A reply that is no longer here has sent its final text.
        const reply = this.#replies.get(before.id);
        if (reply instanceof VoiceReply) await reply.over;
      },
    });
  }

  /** Finishes the header of a turn's scene once none of the scene's turns is left. */
  async finishScene(turn: TurnRecord, delivered: Delivered, offered: readonly Offer[]): Promise<void> {
    if (turn.request.scene) await this.#scenes.finish(turn, turn.request.scene, delivered, offered);
  }

  /** Continues a reply with a click's token, which is already stored. Does nothing when no reply is in memory. */
  renew({ id, request }: TurnRecord, endpoint: InteractionEndpoint): void {
    this.#replies.get(id)?.renew(endpoint, request.receivedAt);
  }

  /** Whether the bot writes this reply with its own token. */
  isByBot(turnId: string): boolean {
    return this.#replies.get(turnId)?.isByBot ?? false;
  }

  /** Keeps the tokens of a finished reply, in memory only: the stored turn no longer has them. */
  keepRoute({ id, request, voice }: TurnRecord): void {
    this.#routes.set(id, { request: { ...request, text: "" }, ...(voice && { voice }) });
    const [oldest] = this.#routes.keys();
    if (this.#routes.size > MAX_ROUTES && oldest !== undefined) this.#routes.delete(oldest);
  }

  /** Returns a finished turn with the tokens of its reply, if this life still knows them. */
  withRoute(turn: TurnRecord): TurnRecord {
    return { ...turn, ...this.#routes.get(turn.id) };
  }

  /** Forgets a finished reply. */
  drop(turnId: string): void {
    this.#replies.delete(turnId);
  }

  /** Stops a reply that another life or epoch writes from now on. Sends nothing more. */
  abandon(turnId: string): void {
    this.#replies.get(turnId)?.abandon();
    this.drop(turnId);
  }

  /**
   * Shows each waiting person their queue position and who is ahead of them. Turns without an interaction show nothing here. `unshown`: only
   * those to whom nothing has been shown yet.
   */
  showQueuePositions({ running, queue }: ChannelState, unshown = false): void {
    const { notices } = effectiveSettings(this.#ports);
    const before = running ? [running] : [];
    queue.forEach((turn, index) => {
      const { userId } = turn.request;
      const names = before.filter((other) => isKnownTo(other, userId)).map(({ request }) => request.userId);
      const line = notices ? say.waiting(index + 1, [...new Set(names)]) : null;
      const text = saidText(this.#ports.store.messagesInTurn(turn.id));
      const { token, scene } = turn.request;
      before.push(turn);
      if (unshown && turn.parts.length > 0) return;
      if (token !== null) this.of(turn).show({ text, line, gapMs: QUEUE_EDIT_GAP_MS });
      if (scene?.index === 0) this.#scenes.show(turn, scene, line);
    });
  }
}
