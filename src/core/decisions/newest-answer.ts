// Decides which answers have Regenerate and Delete below the newest answer of a conversation, and who may click them. Pure.
import { isKnownTo, type Viewer } from "../state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import type { Refusal } from "../state/rpc.ts";

/**
 * Whether this ended turn has the buttons while its answer is the newest. A scene of several personas is one answer of several turns, so it
 * has none; a /catch-up leaves nothing to repeat.
 */
export function isChangeable(turn: TurnRecord): boolean {
  const { checkpoint, request, removal } = turn;
  if (
    checkpoint.kind !== "send" ||
    removal ||
    (request.scene && request.scene.names.length > 1) ||
    request.catchUp ||
    request.impersonatedUserId !== undefined
  )
    return false;
  const { ending, chars } = checkpoint;
  // An answer without words may be a picture.
  return ending.kind === "completed" && (chars > 0 || !ending.wordless) && isAskedFor(turn);
}

/** For a turn of a scene: whether its words, as far as anyone knows, are only in the scene's header. Then its buttons are there too. */
export const isMute = ({ unheard, parts }: TurnRecord): boolean =>
  unheard === true || parts.every(({ state }) => state === "sending");

/** Returns why this person may not change the answer, or null. `isNewest`: no later answer of the conversation has the buttons. */
export function refuseChange(turn: TurnRecord | null, isNewest: boolean, person: Viewer): Refusal | null {
  if (!turn || !isKnownTo(turn, person.userId) || !isChangeable(turn)) return { reason: "forgotten" };
  if (turn.request.userId !== person.userId && !person.moderator) return { reason: "not_theirs" };
  if (!isNewest) return { reason: "not_newest" };
  return turn.state === "finished" ? null : { reason: "unfinished" };
}
