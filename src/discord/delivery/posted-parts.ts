// What stands in Discord of one reply, as far as this life knows it. A life begins with what earlier ones have written down, which
// says that a message is there and not what it shows.
import type { Posted } from "./part-body.ts";
import type { PartsLedger } from "./parts-ledger.ts";

/** The messages of one reply, in their order. */
export class PostedParts {
  readonly #ledger: PartsLedger;
  readonly #mayRepeat: (index: number) => boolean;
  readonly #posted: Posted[];
  /** Creations with an unknown outcome that may be repeated. */
  readonly #unsure: Set<number>;
  #lost: boolean;

  /** `mayRepeat`: would Discord know the repetition of this creation? */
  constructor(ledger: PartsLedger, mayRepeat: (index: number) => boolean) {
    this.#ledger = ledger;
    this.#mayRepeat = mayRepeat;
    const parts = ledger.parts();
    this.#posted = parts.flatMap(({ endsAt = 0 }, index) => (mayRepeat(index) ? [] : [{ ...unknownPost, endsAt }]));
    this.#unsure = new Set(parts.flatMap((_, index) => (mayRepeat(index) ? [index] : [])));
    this.#lost = this.#hasLost();
  }

  get all(): readonly Posted[] {
    return this.#posted;
  }

  /** A message may exist that we can't reach; it is never sent again. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Without its first message a reply can't be edited into anything. */
  get isUnreachable(): boolean {
    return this.#ledger.parts()[0]?.state === "sending" && !this.#mayRepeat(0);
  }

  accepted(index: number, part: Posted): void {
    // The message that a repeated creation found may have the text of an earlier try.
    this.#posted[index] = this.#unsure.delete(index) ? unknownPost : part;
  }

  /** Nobody knows whether Discord made the message. */
  perhapsCreated(index: number): void {
    this.#unsure.add(index);
    this.#lost ||= !this.#mayRepeat(index);
  }

  removedLast(): void {
    this.#posted.pop();
  }

  /** The ledger was changed by somebody else: a press brought another token. */
  lookAgain(): void {
    this.#lost ||= this.#hasLost();
  }

  #hasLost(): boolean {
    return this.#ledger.parts().some(({ state }, index) => state === "sending" && !this.#mayRepeat(index));
  }
}

/** Of a message that is there but was not sent by this life, or not with these words. */
const unknownPost: Posted = { content: null, endsAt: 0, buttons: null, file: null };
