// Which turns were refused for their asker alone. Pure.
import { isAnswer } from "../money/usage.ts";
import { transcriptOwner } from "../state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import { offeredAfter } from "./offer.ts";

/**
 * Is it for the asker alone why this ended turn was refused? Yes where it was refused before it called a model, and others would read the
 * refusal. No where Retry below it may help in a moment, and in a scene of several or a thread of its own, where everyone sees something of
 * it already.
 */
export function isRefusedAlone(turn: TurnRecord): boolean {
  const { request, checkpoint, usage, forgotten } = turn;
  if (checkpoint.kind !== "send" || isAnswer(usage) || forgotten || !isAskedFor(turn)) return false;
  const { ending } = checkpoint;
  if ((ending.kind !== "budget_spent" && ending.kind !== "access_refused") || offeredAfter(ending) !== null)
    return false;
  const { guildId, scene, beginsThread, impersonatedUserId, broughtBy, catchUp } = request;
  // Discord may show everyone what is in a visitor's own transcript.
  const isForAll = broughtBy ? !catchUp : guildId !== null && transcriptOwner(request) === null;
  return isForAll && (scene?.names.length ?? 1) === 1 && !beginsThread && impersonatedUserId === undefined;
}

/** Is the asker of this refused turn told beside it? Where a message asked, whose reply nobody has seen yet. */
export const isToldBeside = (turn: TurnRecord): boolean =>
  turn.request.messageId !== undefined && turn.parts.length === 0 && isRefusedAlone(turn);
