// Shows the bot as typing while a question waits for its first text: at once, then again before Discord's 10 s are over. The channel has
// one typing line, for all questions. Never delays a turn and never fails.

import { showTyping } from "../../src/discord/rest/question-signs.ts";
import { type SignPorts, sendSign } from "./sign-ports.ts";

const RENEWAL_MS = 8000;
/** The wait after a request that failed: each refusal counts toward a ban of our address. */
const AFTER_FAILURE_MS = 60_000;

/** The channel's line "… is typing". */
export class Typing {
  readonly #ports: SignPorts;
  readonly #holders = new Set<object>();
  #nextAt = Number.NEGATIVE_INFINITY;
  #silentUntil = Number.NEGATIVE_INFINITY;
  #cancel = () => {};

  constructor(ports: SignPorts) {
    this.#ports = ports;
  }

  /** Shows the line for a moment, unless it is already there. */
  show(channelId: string): void {
    const { clock } = this.#ports;
    if (clock() < Math.max(this.#nextAt, this.#silentUntil)) return;
    this.#nextAt = clock() + RENEWAL_MS;
    void sendSign(this.#ports, async (bot, signal) => {
      const { ok } = await showTyping(bot, channelId, signal);
      if (!ok) this.#silentUntil = clock() + AFTER_FAILURE_MS;
    });
  }

  /** Shows the line until the returned function is called, which may happen twice. */
  hold(channelId: string): () => void {
    const holder = {};
    this.#holders.add(holder);
    this.#renew(channelId);
    return () => {
      if (!this.#holders.delete(holder) || this.#holders.size > 0) return;
      this.#cancel();
      // A message of ours is coming, which ends the line (Discord).
      this.#nextAt = Number.NEGATIVE_INFINITY;
    };
  }

  #renew(channelId: string): void {
    this.#cancel();
    this.show(channelId);
    const { timers, clock } = this.#ports;
    const leftMs = this.#nextAt - clock();
    this.#cancel = timers.after(leftMs > 0 ? leftMs : RENEWAL_MS, () => this.#renew(channelId));
  }
}
