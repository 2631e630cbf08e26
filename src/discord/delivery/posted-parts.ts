// Tracks what Discord shows of one reply, as far as this life knows. A life begins with what earlier lives recorded: that a message exists, but
// not what it shows.
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
  /** Messages that Discord may or may not have created, and that may be created again. */
  readonly #unsure: Set<number>;
  #lost: boolean;
  /**
   * The position up to which Discord may show the answer without having confirmed it, because of the request in flight and of edits that got no
   * answer. `before`: the same without the request in flight.
   */
  #underWay = { to: 0, before: 0 };
  readonly #strayUntil: number;
  /** How many of the first messages an earlier life may have edited. */
  readonly #inherited: number;
  /** Those of them that a request of that life may still change back, because it may arrive after our newest edit. */
  readonly #doubtful = new Set<number>();

  /** `strayUntil`: until when requests of an earlier life may still take effect, in epoch milliseconds. */
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
    this.#posted = parts.flatMap(({ endsAt = 0, id }, index) =>
      mayRepeat(index) ? [] : [{ ...(id === null ? outOfReach : unknownPost), endsAt }],
    );
    this.#unsure = new Set(parts.flatMap((_, index) => (mayRepeat(index) ? [index] : [])));
    this.#lost = this.#hasLost();
    this.#inherited = Math.max(parts.length, route.isDeferred ? 1 : 0);
  }

  get all(): readonly Posted[] {
    return this.#posted;
  }

  /** Whether a message may exist that we can't reach. It is never sent again. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Whether the reply can't be edited, because we don't know whether its first message exists. */
  get isUnreachable(): boolean {
    return this.#ledger.parts()[0]?.state === "sending" && !this.#mayRepeat(0);
  }

  /** Whether the message may exist already, but Discord would no longer recognize a repeated create, because too much time has passed. */
  isTooLate(index: number): boolean {
    return this.isUnsure(index) && !this.#isRecognized(index);
  }

  /** Whether an earlier create may have made the message. */
  isUnsure(index: number): boolean {
    return this.#unsure.has(index);
  }

  /** The position up to which somebody may have read the answer: Discord may show a request's text before it answers the request. */
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

  /** Notes that Discord refused the request in flight. `unmade`: it surely had no effect, so a later life may send it as if for the first time. */
  refused(unmade: NextRequest | null = null): void {
    this.#underWay.to = this.#underWay.before;
    if (unmade?.kind === "create" && !this.isUnsure(unmade.index)) this.#ledger.removed(unmade.index);
  }

  accepted(index: number, part: Posted): void {
    // A repeated create may have found a message with the text of an earlier try.
    const isKnown = !this.#unsure.delete(index);
    this.#posted[index] = isKnown ? part : unknownPost;
    if (isKnown) this.#underWay.to = 0;
  }

  /** Notes that we don't know whether Discord created the message. Returns `lost` if the whole reply is lost with it. */
  perhapsCreated(index: number): "lost" | "again" {
    this.#unsure.add(index);
    this.#lost ||= !this.#mayRepeat(index);
    return this.isUnreachable ? "lost" : "again";
  }

  /** Notes that the message is not in the channel, so it may be created. */
  absent(index: number): void {
    this.#unsure.delete(index);
  }

  /**
   * Notes that it can't be known whether the message exists, and the reply continues without it. Returns `lost` if it can't continue, because
   * this is its first message, or because it already continued without another one.
   */
  givenUp(index: number): "lost" | "again" {
    const isOver = index === 0 || this.#lost;
    this.#lost = true;
    return isOver ? "lost" : "again";
  }

  /** Notes that we don't know what Discord did with a request. Returns `lost` if the whole reply is lost with it. */
  unanswered(next: NextRequest): "lost" | "again" {
    if (next.kind === "create") {
      this.refused();
      return this.perhapsCreated(next.index);
    }
    if (next.kind === "edit") this.#posted[next.index] = eitherOf(this.#posted[next.index] ?? unknownPost, next.part);
    return "again";
  }

  /** The time after which no request of an earlier life can undo our edits any more; null if none of them is in doubt. */
  get settledAt(): number | null {
    return this.#doubtful.size === 0 ? null : this.#strayUntil;
  }

  /** Called at that time: earlier requests may have changed those messages, so they count as unknown and are sent again. */
  settle(): void {
    for (const index of this.#doubtful) {
      const posted = this.#posted[index];
      if (posted) this.#posted[index] = { ...posted, content: null, buttons: null, isResent: true };
    }
    this.#doubtful.clear();
  }

  /** Notes that the message is deleted. It is the last one, unless one after it may exist out of reach. */
  removed(index: number): void {
    if (this.#lost) this.#posted[index] = outOfReach;
    else this.#posted.pop();
  }

  /** Reads the ledger again, because a click brought another token and changed it. */
  lookAgain(): void {
    this.#lost ||= this.#hasLost();
  }

  #hasLost(): boolean {
    return this.#ledger.parts().some(({ state }, index) => state === "sending" && !this.#mayRepeat(index));
  }
}

/** A message that exists, but whose words this life doesn't know. */
const unknownPost: Posted = { content: null, endsAt: 0, buttons: null, file: null };
const outOfReach: Posted = { ...unknownPost, isOut: true };

/** Returns what is known of a message that shows either the old state or the part: where they differ, it is unknown, and the next edit sets it. */
function eitherOf(before: Posted, { content, buttons }: Posted): Posted {
  const hasSameButtons = before.buttons?.join() === buttons?.join();
  if (hasSameButtons && before.content === content) return before;
  return { ...before, content: null, buttons: hasSameButtons ? buttons : null };
}
