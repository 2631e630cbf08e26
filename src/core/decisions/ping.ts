// Does a turn's end ping the person who asked? Edits notify no one, so whoever waited long enough to look away would not learn of it. Pure.
import { PING_AFTER_MS } from "../limits.ts";
import type { Ending } from "../state/ending.ts";
import { transcriptOwner } from "../state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import { isRefusedAlone } from "./private-refusal.ts";

/** When a message that pings its asker follows an answer (`ping_when_done`): `slow` means 60 s after the question. */
export type PingWhenDone = "never" | "slow" | "always";

/** Endings that the asker has brought about, or that leave nothing to look at. */
const UNPINGED: ReadonlySet<Ending["kind"]> = new Set([
  "stopped",
  "follow_up",
  "access_refused",
  "gone",
  "cleared",
  "taken_back",
  "superseded",
  "steered",
]);

/**
 * Is the asker of this ended turn pinged? Never if only they see the answer, or the reason why there is none; nor for a turn that no one
 * asked for or that speaks as a person. Of a scene only the last turn pings.
 */
export function pingsAsker(turn: TurnRecord, when: PingWhenDone): boolean {
  const { request, checkpoint, createdAt, endedAt, parts } = turn;
  const { scene } = request;
  if (when === "never" || checkpoint.kind !== "send" || UNPINGED.has(checkpoint.ending.kind)) return false;
  if (!isAskedFor(turn) || transcriptOwner(request) !== null || request.impersonatedUserId !== undefined) return false;
  if (isRefusedAlone(turn) || parts.length === 0 || (scene && scene.index < scene.names.length - 1)) return false;
  return when === "always" || (endedAt ?? createdAt) > createdAt + PING_AFTER_MS;
}
