// Decides what to do with a turn whose life of the object ended. Pure. The caller has already counted this takeover in the
// transaction that took the turn over, so that a crash during the recovery is counted too.
import { MAX_TAKEOVERS, MAX_TAKEOVERS_WITHOUT_PROGRESS } from "../limits.ts";
import { soundCost } from "../money/unit-price.ts";
import { withCharge, withStep } from "../money/usage.ts";
import { openSounds } from "../state/attachments.ts";
import type { TurnRecord } from "../state/record.ts";
import type { TurnEvent } from "../state/turn-events.ts";

/** `resume`: continue from the stored step. `finish`: end it now, with one visible message. */
export type Recovery = { kind: "resume" } | { kind: "finish"; as: "stopped" | "deadline" | "attempts" };

/**
 * Returns the turn as the new life takes it over: with its instance and epoch, and one more takeover. `progress` counts the
 * stored answers and results: progress resets the takeovers without progress, but never the total.
 */
export function takenOver(turn: TurnRecord, instance: string, epoch: number, progress: number): TurnRecord {
  const progressed = progress > turn.progressAtTakeover;
  return {
    ...turn,
    instance,
    epoch,
    takeoversWithoutProgress: progressed ? 0 : turn.takeoversWithoutProgress + 1,
    takeovers: turn.takeovers + 1,
    progressAtTakeover: progress,
  };
}

/** Returns, for a timeline entry, the model call that a life began and did not finish, with its estimated usage. Empty without one. */
export function cutCall({ checkpoint }: TurnRecord, now: number): Pick<TurnEvent, "call"> {
  if (checkpoint.kind !== "model" || !checkpoint.call) return {};
  const { call, ifCut: usage = null } = checkpoint;
  return { call: { ...call, ms: Math.max(0, now - call.at), outcome: "cut_off", usage } };
}

/** Counts the model call that the turn's last life began and did not finish. A call is counted once, however often this runs. */
export function withCutCall(turn: TurnRecord): TurnRecord {
  const { checkpoint, usage } = turn;
  if (checkpoint.kind !== "model" || !checkpoint.ifCut) return turn;
  return { ...turn, usage: withStep(usage, checkpoint.ifCut), checkpoint: { kind: "idle" } };
}

/**
 * Counts the sounds that the turn's last life may have paid to transcribe: it ended before the first model call, and no transcription is
 * stored. The next life transcribes them again; if it ends in the same way, they are counted again.
 */
export function withCutSounds(turn: TurnRecord, usdPerMinute: number): TurnRecord {
  const { checkpoint, usage, request } = turn;
  if (usdPerMinute === 0 || checkpoint.kind !== "idle" || usage.modelCalls > 0) return turn;
  const microUsd = openSounds(request).reduce((sum, sound) => sum + soundCost(usdPerMinute, sound), 0);
  return microUsd === 0 ? turn : { ...turn, usage: withCharge(usage, microUsd) };
}

/** Decides about a turn that was just taken over. */
export function recover(turn: TurnRecord, now: number): Recovery {
  if (turn.stop) return { kind: "finish", as: "stopped" };
  if (turn.deadlineAt !== null && turn.deadlineAt <= now) return { kind: "finish", as: "deadline" };
  if (turn.takeoversWithoutProgress >= MAX_TAKEOVERS_WITHOUT_PROGRESS || turn.takeovers >= MAX_TAKEOVERS)
    return { kind: "finish", as: "attempts" };
  return { kind: "resume" };
}
