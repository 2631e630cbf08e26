// Writes and reads a turn's record as JSON under the keys of the first release, whatever the program calls them today. So
// rows of every version are read in the same way, and a program that is rolled back finds the keys it knows. The record is
// written several times per step and consists mostly of timeline entries, which never change; so each entry is serialized
// only once.
import type { AskedCall } from "../../src/core/state/approval-request.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { TurnEvent } from "../../src/core/state/turn-events.ts";

type Renamed = "request" | "queuePosition" | "checkpoint" | "takeovers" | "takeoversWithoutProgress" | "approval";

/** A record under its stored keys. */
interface StoredTurn extends Omit<TurnRecord, Renamed> {
  trigger: TurnRecord["request"];
  place: number;
  step: TurnRecord["checkpoint"];
  /** Lives without progress: one more than the takeovers. */
  attempt: number;
  totalAttempts: number;
  approval?: Omit<NonNullable<TurnRecord["approval"]>, "callPlace"> & { place: AskedCall["callPlace"] };
}

/** Serializes a record under its stored keys. */
export function writeTurnText({ events, ...turn }: TurnRecord): string {
  const { request, queuePosition, checkpoint, takeovers, takeoversWithoutProgress, approval, ...rest } = turn;
  const stored: Omit<StoredTurn, "events"> = {
    ...rest,
    trigger: request,
    place: queuePosition,
    step: checkpoint,
    attempt: takeoversWithoutProgress + 1,
    totalAttempts: takeovers + 1,
  };
  if (approval) {
    const { callPlace: place, ...request } = approval;
    stored.approval = { ...request, place };
  }
  return `${JSON.stringify(stored).slice(0, -1)},"events":[${events.map(lineText).join(",")}]}`;
}

/** Parses a stored record. Accepts rows of every earlier version. */
export function readTurnText(text: string): TurnRecord {
  const { trigger, place, step, attempt, totalAttempts, approval, ...rest } = JSON.parse(text) as StoredTurn;
  const turn: TurnRecord = {
    ...rest,
    request: trigger,
    queuePosition: place,
    checkpoint: step,
    takeoversWithoutProgress: attempt - 1,
    takeovers: totalAttempts - 1,
  };
  if (!approval) return turn;
  const { place: callPlace, ...request } = approval;
  return { ...turn, approval: { ...request, callPlace } };
}

/** The JSON of each timeline entry. Entries are never changed in place. */
const texts = new WeakMap<TurnEvent, string>();

function lineText(line: TurnEvent): string {
  const known = texts.get(line);
  if (known !== undefined) return known;
  const text = JSON.stringify(line);
  texts.set(line, text);
  return text;
}
