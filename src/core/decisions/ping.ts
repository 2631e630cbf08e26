// Decides whether a turn's end pings its asker. Edits notify no one, so an asker who has looked away would not learn of it. Pure.
import { PING_AFTER_MS } from "../limits.ts";
import type { Ending } from "../state/ending.ts";
import { transcriptOwner } from "../state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import { isRefusedAlone } from "./private-refusal.ts";

/** When an answer is followed by a message that pings its asker (`ping_when_done`). `slow`: if it took more than 60 s. */
export type PingWhenDone = "never" | "slow" | "always";

/** Endings that the asker caused, or that leave nothing to look at. */
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
 * Whether to ping the asker of this ended turn. Never if only they see the answer, or the reason why there is none, nor for a turn that no
 * one asked for or that speaks as a person. In a scene only the last turn pings.
 */
export function pingsAsker(turn: TurnRecord, when: PingWhenDone): boolean {
  const { request, checkpoint, createdAt, endedAt, parts } = turn;
  const { scene } = request;
  if (when === "never" || checkpoint.kind !== "send" || UNPINGED.has(checkpoint.ending.kind)) return false;
  if (!isAskedFor(turn) || transcriptOwner(request) !== null || request.impersonatedUserId !== undefined) return false;
  if (isRefusedAlone(turn) || parts.length === 0 || (scene && scene.index < scene.names.length - 1)) return false;
  return when === "always" || (endedAt ?? createdAt) > createdAt + PING_AFTER_MS;
}
