// What Discord shows of one reply, as far as this life knows. A life begins with what earlier lives recorded, which says that a
// message exists but not what it shows.
import type { Clock } from "../../turn/ports.ts";
import type { NextRequest } from "./next-request.ts";
import type { Posted } from "./part-body.ts";
import type { PartsLedger } from "./parts-ledger.ts";
import type { ReplyRoute } from "./reply-route.ts";

/** The messages of one reply, in order. */
export class PostedParts {
  readonly #ledger: PartsLedger;
  readonly #mayRepeat: (index: number) => boolean;
  readonly #isRecognized: (index: number) => boolean;
  readonly #clock: Clock;
  readonly #posted: Posted[];
  /** Messages of which nobody knows whether Discord made them, and which may be made again all the same. */
  readonly #unsure: Set<number>;
  #lost: boolean;
  /**
   * Up to which position in the answer Discord may show it without having said so: because of the request in flight, and of edits that nobody
   * answered. `before`: the same without the request in flight.
   */
  #underWay = { to: 0, before: 0 };
  readonly #strayUntil: number;
  /** Messages that an earlier life may have edited, too. */
  readonly #inherited: number;
  /** Those of them that a request of that life may still change back: it was sent before the newest edit, and may come after it. */
  readonly #doubtful = new Set<number>();

  /** `strayUntil`: when requests of an earlier life have their effect at the latest, in epoch milliseconds. */
  constructor(
    ledger: PartsLedger,
    route: Pick<ReplyRoute, "mayRepeat" | "isRecognized" | "isDeferred">,
    clock: Clock,
    strayUntil = 0,
  ) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#strayUntil = strayUntil;
    this.#mayRepeat = (index) => route.mayRepeat(index, clock());
    this.#isRecognized = (index) => route.isRecognized(index, clock());
    const mayRepeat = this.#mayRepeat;
    const parts = ledger.parts();
    this.#posted = parts.flatMap(({ endsAt = 0 }, index) => (mayRepeat(index) ? [] : [{ ...unknownPost, endsAt }]));
    this.#unsure = new Set(parts.flatMap((_, index) => (mayRepeat(index) ? [index] : [])));
    this.#lost = this.#hasLost();
    this.#inherited = Math.max(parts.length, route.isDeferred ? 1 : 0);
  }

  get all(): readonly Posted[] {
    return this.#posted;
  }

  /** A message may exist that we can't reach. It is never sent again. */
  get lost(): boolean {
    return this.#lost;
  }

  /** We don't know whether the first message exists, and without it the reply can't be edited. */
  get isUnreachable(): boolean {
    return this.#ledger.parts()[0]?.state === "sending" && !this.#mayRepeat(0);
  }

  /** It may exist already, and Discord would no longer recognize its repetition: it waited for too long. */
  isTooLate(index: number): boolean {
    return this.isUnsure(index) && !this.#isRecognized(index);
  }

  /** An earlier creation may have made it. */
  isUnsure(index: number): boolean {
    return this.#unsure.has(index);
  }

  /** The position in the answer up to which somebody may have read it: Discord may show a request before it answers. */
  get mayShowUpTo(): number {
    return Math.max(this.#underWay.to, ...this.#posted.map(({ endsAt }) => endsAt));
  }

  sending(next: NextRequest): void {
    const mayBeUndone = this.#clock() < this.#strayUntil && next.index < this.#inherited;
    if (mayBeUndone) this.#doubtful.add(next.index);
    else this.#doubtful.delete(next.index);
    const { to } = this.#underWay;
    this.#underWay = { to: next.kind === "delete" ? to : Math.max(to, next.part.endsAt), before: to };
  }

  /** Discord has not taken the request in flight. `unmade`: nothing came of it, and a later life may send it as for the first time. */
  refused(unmade: NextRequest | null = null): void {
    this.#underWay.to = this.#underWay.before;
    if (unmade?.kind === "create" && !this.isUnsure(unmade.index)) this.#ledger.removed(unmade.index);
  }

  accepted(index: number, part: Posted): void {
    // A repeated creation may have found a message with the text of an earlier try.
    const isKnown = !this.#unsure.delete(index);
    this.#posted[index] = isKnown ? part : unknownPost;
    if (isKnown) this.#underWay.to = 0;
  }

  /** Notes that we don't know whether Discord made the message. Lost: the whole reply is. */
  perhapsCreated(index: number): "lost" | "again" {
    this.#unsure.add(index);
    this.#lost ||= !this.#mayRepeat(index);
    return this.isUnreachable ? "lost" : "again";
  }

  /** The channel has no such message: it may be made. */
  absent(index: number): void {
    this.#unsure.delete(index);
  }

  /**
   * Nobody can tell whether the message exists, and the reply continues without it. Lost: it can't, because this is its first message, or
   * it has continued without another one before.
   */
  givenUp(index: number): "lost" | "again" {
    const isOver = index === 0 || this.#lost;
    this.#lost = true;
    return isOver ? "lost" : "again";
  }

  /** Notes that we don't know what Discord did with a request. Lost: the whole reply is. */
  unanswered(next: NextRequest): "lost" | "again" {
    if (next.kind === "create") {
      this.refused();
      return this.perhapsCreated(next.index);
    }
    if (next.kind === "edit") this.#posted[next.index] = eitherOf(this.#posted[next.index] ?? unknownPost, next.part);
    return "again";
  }

  /** From when on nothing that an earlier life sent can change what its messages were told last; null: nothing can. */
  get settledAt(): number | null {
    return this.#doubtful.size === 0 ? null : this.#strayUntil;
  }

  /** Call it then: what was sent earlier may have changed them, so nobody knows what they show. */
  settle(): void {
    for (const index of this.#doubtful) {
      const posted = this.#posted[index];
      if (posted) this.#posted[index] = { ...posted, content: null, buttons: null, isRetold: true };
    }
    this.#doubtful.clear();
  }

  removedLast(): void {
    this.#posted.pop();
  }

  /** Reads the ledger again, because a click brought another token and changed it. */
  lookAgain(): void {
    this.#lost ||= this.#hasLost();
  }

  #hasLost(): boolean {
    return this.#ledger.parts().some(({ state }, index) => state === "sending" && !this.#mayRepeat(index));
  }
}

/** A message that exists but that this life did not send, or not with these words. */
const unknownPost: Posted = { content: null, endsAt: 0, buttons: null, file: null };

/** What a message shows that is as before or as the part: where they differ, its next edit has to say it. */
function eitherOf(before: Posted, { content, buttons }: Posted): Posted {
  const hasSameButtons = before.buttons?.join() === buttons?.join();
  if (hasSameButtons && before.content === content) return before;
  return { ...before, content: null, buttons: hasSameButtons ? buttons : null };
}
