// The one request that brings Discord closest to what a reply should show, given what it shows already. Pure: knows no time, no
// token and no failure.
import type { WantedPart } from "./delivery-plan.ts";
import { isStale, type Posted } from "./part-body.ts";

/** `delete`: an earlier life posted more parts than the text has now. */
export type NextRequest =
  | { kind: "edit" | "create"; index: number; part: WantedPart }
  | { kind: "delete"; index: number };

/** What a reply should show, and what of it is there. */
export interface Standing {
  wanted: WantedPart[];
  posted: readonly (Posted | undefined)[];
  /** No text will follow. */
  final: boolean;
  /** A part may exist that we can't reach. */
  lost: boolean;
  /** The first message is there without our doing. */
  isDeferred: boolean;
}

/** The next request, or null when nothing is left to send. Parts go in their order; the first loses its button last. */
export function nextRequest({ wanted, posted, final, lost, isDeferred }: Standing): NextRequest | null {
  const stale = wanted.findIndex((part, index) => isStale(part, posted[index]));
  const first = wanted[0];
  if (stale < 0) {
    if (first && first.stopButton !== posted[0]?.stopButton) return { kind: "edit", index: 0, part: first };
    const last = posted.length - 1;
    return final && !lost && last >= Math.max(1, wanted.length) ? { kind: "delete", index: last } : null;
  }
  const part = wanted[stale];
  if (!part) return null;
  const kind = posted[stale] || (stale === 0 && isDeferred) ? "edit" : "create";
  if (stale > 0) return { index: stale, part, kind };
  // The Stop button stays on the first message until every other part is there.
  const isLastOne = wanted.every((other, index) => index === 0 || !isStale(other, posted[index]));
  return { index: 0, part: { ...part, stopButton: !isLastOne || part.stopButton }, kind };
}
