// Reacts to a question: ⏳ while it waits in the queue, ⛔ when it was refused and its asker can't be notified in another way. Repeating a
// reaction changes nothing in Discord.
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
/** The longest single wait, shorter than the limit of a whole sign. */
const MOST_WAIT_MS = 4000;
/** Between the first two attempts; doubled after each. */
const RETRY_MS = 1000;
/** How long no sign is given after the bot had no permission for one: each refusal counts toward a ban of our address for this long. */
const AFTER_REFUSAL_MS = 10 * 60_000;
/** How long a sign may take. Taking one back gets longer, because one that stays would be wrong forever. */
const LIMITS_MS = { give: 10_000, takeBack: 60_000 };

/** The reactions that this life has given or is about to give. */
export class QuestionSigns {
  readonly #ports: SignPorts;
  /** By message. `cancel` drops a sign that is not sent yet; null once it is on its way or there. */
  readonly #waiting = new Map<string, { cancel: (() => void) | null; sent: Promise<void> }>();
  #silentUntil = Number.NEGATIVE_INFINITY;
  /** Resolves when the newest sign has been sent or given up. */
  #last = Promise.resolve();

  constructor(ports: SignPorts) {
    this.#ports = ports;
  }

  /** Marks a question that waits in the queue. */
  waits(place: QuestionPlace): void {
    if (this.#waiting.has(place.messageId)) return;
    const sign: { cancel: (() => void) | null; sent: Promise<void> } = { cancel: null, sent: Promise.resolve() };
    this.#waiting.set(place.messageId, sign);
    sign.cancel = this.#ports.timers.after(SOON_MS, () => {
      // Keeps its `cancel`, because a sign that was never sent must not be taken back.
      if (this.#isSilent) return;
      sign.cancel = null;
      sign.sent = this.#set(place, WAITING, true);
    });
  }

  /** Takes the mark back once a question, if it was a message, stops waiting. An earlier life may have set it. */
  stopWaiting(request: Parameters<typeof questionPlace>[0]): void {
    const place = questionPlace(request);
    if (!place) return;
    const sign = this.#waiting.get(place.messageId);
    this.#waiting.delete(place.messageId);
    if (sign?.cancel) sign.cancel();
    else void (sign?.sent ?? Promise.resolve()).then(() => this.#set(place, WAITING, false));
  }

  /** Marks a refused question. */
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
    // Discord allows one reaction per channel every quarter of a second, as its responses say. Several at once would be refused.
    this.#last = this.#last.then(send);
    return this.#last;
  }
}

/** Returns the message that asked for a turn; null if an interaction did. */
export const questionPlace = (request: { channelId: string; messageId?: string }): QuestionPlace | null =>
  request.messageId === undefined ? null : { channelId: request.channelId, messageId: request.messageId };
