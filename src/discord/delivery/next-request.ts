// Chooses the one request that brings Discord closest to what a reply should show, given what it already shows. Pure: knows nothing of time,
// tokens or failures.
import type { Buttons } from "../components.ts";
import type { WantedPart } from "./delivery-plan.ts";
import { hasOtherButtons, isStale, type NextPart, type Posted } from "./part-body.ts";

/** `delete`: the message shows earlier words, and the text has fewer parts now or comes as a file. */
export type NextRequest =
  | { kind: "edit" | "create"; index: number; part: NextPart }
  | { kind: "delete"; index: number };

/** What a reply should show, and what it already shows. */
export interface PostedState {
  wanted: WantedPart[];
  posted: readonly (Posted | undefined)[];
  /** No more text will follow. */
  final: boolean;
  /** What the reply would show if each of its messages could be reached. A message with other words goes at the end; null: all stay. */
  hoped: readonly WantedPart[] | null;
  /** How many of the first messages can't be changed. */
  frozen: number;
  /** The first message exists already: Discord created it as the deferred response. */
  isDeferred: boolean;
  /** The Stop button is elsewhere, on the header of a scene. */
  isBare: boolean;
}

/**
 * Returns the next request, or null when nothing is left to send. Parts go in order. A button is removed last, so that people have one to
 * click as long as more will come.
 */
export function nextRequest(state: PostedState): NextRequest | null {
  const { wanted, hoped, posted, final, frozen, isDeferred, isBare } = state;
  const isOpen = (part: WantedPart, index: number) => index >= frozen && isStale(part, posted[index]);
  const stale = wanted.findIndex(isOpen);
  const part = wanted[stale];
  if (!part) {
    const isLeft = (shown: Posted | undefined, index: number) =>
      shown && !shown.isOut && index >= Math.max(1, frozen, wanted.length) && !stillSays(shown, hoped?.[index]);
    const left = final && hoped ? posted.findLastIndex(isLeft) : -1;
    return buttonChange(wanted, posted, frozen) ?? (left < 0 ? null : { kind: "delete", index: left });
  }
  const kind = posted[stale] || (stale === 0 && isDeferred) ? "edit" : "create";
  const isLastOne = wanted.every((other, index) => index === stale || !isOpen(other, index));
  const needsNoStop = isBare || posted[stale]?.isResent;
  const keepsStop = !needsNoStop && stale === frozen && !isLastOne && part.buttons.length === 0;
  return { index: stale, kind, part: keepsStop ? { ...part, buttons: ["stop"] } : part };
}

/** Whether all that the message shows is in the part, which may have a line below it. */
const stillSays = ({ content }: Posted, part: WantedPart | undefined): boolean =>
  content !== null && part?.content.startsWith(content.trimEnd()) === true;

/**
 * Returns the next request to move buttons on messages of an earlier life, whose text stays: the last message gets these buttons, and then
 * the others lose theirs.
 */
export function rebuttoned(
  { posted, lost, frozen }: Pick<PostedState, "posted" | "frozen"> & { lost: boolean },
  buttons: Buttons,
): NextRequest | null {
  const last = lost ? frozen : posted.length - 1;
  for (let index = last; index >= frozen; index--) {
    const shown = posted[index];
    const wanted = index === last ? buttons : [];
    if (shown && shown.buttons?.join() !== wanted.join())
      return { kind: "edit", index, part: { ...shown, buttons: wanted } };
  }
  return null;
}

/** Returns the next change of buttons: new ones appear before old ones are removed. */
function buttonChange(wanted: WantedPart[], posted: PostedState["posted"], frozen: number): NextRequest | null {
  const changed = wanted.flatMap((part, index) =>
    index >= frozen && hasOtherButtons(part, posted[index]) ? [{ kind: "edit" as const, index, part }] : [],
  );
  return changed.find(({ part }) => part.buttons.length > 0) ?? changed[0] ?? null;
}
