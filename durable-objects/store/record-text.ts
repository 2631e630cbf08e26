// A turn's record as it is stored: JSON. It is written several times in each step, and most of it are lines of the timeline, which
// stay as they are; so each line is put into text once.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { TurnEvent } from "../../src/core/state/turn-events.ts";

/** The JSON text of a record. */
export function recordText({ events, ...record }: TurnRecord): string {
  return `${JSON.stringify(record).slice(0, -1)},"events":[${events.map(lineText).join(",")}]}`;
}

/** Lines are never changed in place. */
const texts = new WeakMap<TurnEvent, string>();

function lineText(line: TurnEvent): string {
  const known = texts.get(line);
  if (known !== undefined) return known;
  const text = JSON.stringify(line);
  texts.set(line, text);
  return text;
}
