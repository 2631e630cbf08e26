// Decides which refusals are shown to the asker alone. Pure.
import { isAnswer } from "../money/usage.ts";
import { transcriptOwner } from "../state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import { offeredAfter } from "./offer.ts";

/**
 * Whether only the asker should see why this ended turn was refused. Yes if it was refused before it called a model and others would read
 * the refusal. No if Retry below it may help in a moment, or in a scene of several personas or the answer's own thread, where everyone already
 * sees part of it.
 */
export function isRefusedAlone(turn: TurnRecord): boolean {
  const { request, checkpoint, usage, forgotten } = turn;
  if (checkpoint.kind !== "send" || isAnswer(usage) || forgotten || !isAskedFor(turn)) return false;
  const { ending } = checkpoint;
  if ((ending.kind !== "budget_spent" && ending.kind !== "access_refused") || offeredAfter(ending) !== null)
    return false;
  const { guildId, scene, beginsThread, impersonatedUserId, broughtBy, catchUp } = request;
  // Discord may show everyone an answer that is in a visitor's own transcript.
  const isForAll = broughtBy ? !catchUp : guildId !== null && transcriptOwner(request) === null;
  return isForAll && (scene?.names.length ?? 1) === 1 && !beginsThread && impersonatedUserId === undefined;
}

/** Whether to notify the asker privately that this turn was refused: only if a message asked and nobody has seen its reply yet. */
export const shouldNotifyPrivately = (turn: TurnRecord): boolean =>
  turn.request.messageId !== undefined && turn.parts.length === 0 && isRefusedAlone(turn);
