// Reactions on a question: ⏳ while it waits in the queue, ⛔ where it was refused and its asker can't be told otherwise. Repeating one
// changes nothing in Discord.
import { isForbidden } from "../../src/discord/rest/bot-request.ts";
import { setReaction } from "../../src/discord/rest/question-signs.ts";
import { type SignPorts, sendSign } from "./sign-ports.ts";

/** The message that asked. */
export interface QuestionPlace {
  channelId: string;
  messageId: string;
}

const WAITING = "⏳";
const REFUSED = "⛔";
/** A question that waits no longer than this gets no sign: it would only flicker. */
const SOON_MS = 1000;
/** Less than a sign may take in all. */
const MOST_WAIT_MS = 4000;
/** Between the first two tries; doubled with each. */
const RETRY_MS = 1000;
/** Once the bot lacks the permission for a sign, none is given for so long: that is how long a refusal counts toward a ban of our address. */
const AFTER_REFUSAL_MS = 10 * 60_000;
/** A sign may take so long; one that is not taken back would be wrong for ever. */
const LIMITS_MS = { give: 10_000, takeBack: 60_000 };

/** The reactions that this life has given or means to. */
export class QuestionSigns {
  readonly #ports: SignPorts;
  /** How to take back what is not sent yet; null: it is on its way, or there. */
  readonly #waiting = new Map<string, { cancel: (() => void) | null; sent: Promise<void> }>();
  #silentUntil = Number.NEGATIVE_INFINITY;
  /** Resolves when the last sign so far is over. */
  #last = Promise.resolve();

  constructor(ports: SignPorts) {
    this.#ports = ports;
  }

  /** The question has a place in the queue. */
  waits(place: QuestionPlace): void {
    if (this.#waiting.has(place.messageId)) return;
    const sign: { cancel: (() => void) | null; sent: Promise<void> } = { cancel: null, sent: Promise.resolve() };
    this.#waiting.set(place.messageId, sign);
    sign.cancel = this.#ports.timers.after(SOON_MS, () => {
      // What is not sent is not to be taken back.
      if (this.#isSilent) return;
      sign.cancel = null;
      sign.sent = this.#set(place, WAITING, true);
    });
  }

  /** The question, if a message asked it, waits no longer. An earlier life may have given the sign. */
  waitsNoMore(request: Parameters<typeof questionPlace>[0]): void {
    const place = questionPlace(request);
    if (!place) return;
    const sign = this.#waiting.get(place.messageId);
    this.#waiting.delete(place.messageId);
    if (sign?.cancel) sign.cancel();
    else void (sign?.sent ?? Promise.resolve()).then(() => this.#set(place, WAITING, false));
  }

  /** The question was refused. */
  refused(place: QuestionPlace): void {
    if (!this.#isSilent) void this.#set(place, REFUSED, true);
  }

  get #isSilent(): boolean {
    return this.#ports.clock() < this.#silentUntil;
  }

  #set(place: QuestionPlace, emoji: string, isOn: boolean): Promise<void> {
    const { rateLimiter, clock, timers, log } = this.#ports;
    const limitMs = isOn ? LIMITS_MS.give : LIMITS_MS.takeBack;
    const send = () =>
      sendSign(
        this.#ports,
        async (bot, signal) => {
          for (let leastMs = 0; ; leastMs = Math.max(RETRY_MS, 2 * leastMs)) {
            const waitMs = Math.max(leastMs, rateLimiter.readyAt({ channelId: place.channelId }, "react") - clock());
            if (waitMs > 0) await timers.wait(Math.min(waitMs, MOST_WAIT_MS));
            const answer = await setReaction(bot, place, emoji, isOn, signal);
            if (answer.ok) return;
            if (isForbidden(answer)) this.#silentUntil = clock() + AFTER_REFUSAL_MS;
            if (!answer.retryable || signal.aborted)
              return log.warn("a reaction was not set", { emoji, isOn, error: answer.error });
          }
        },
        limitMs,
      );
    // Discord allows a channel one reaction in a quarter of a second, as each answer says. Several at once would be refused.
    this.#last = this.#last.then(send);
    return this.#last;
  }
}

/** The message that asked for a turn; null where it was an interaction. */
export const questionPlace = (request: { channelId: string; messageId?: string }): QuestionPlace | null =>
  request.messageId === undefined ? null : { channelId: request.channelId, messageId: request.messageId };
