// The timeline of a turn: its entries and how many of them are kept.

import type { ModelCallNote } from "./inspected.ts";

/** One timeline entry: when, what, and a short detail. */
export interface TurnEvent {
  at: number;
  what: string;
  detail?: string;
  /** The person whose name is in the detail. */
  by?: string;
  /** Shown to moderators only: a provider's own words. */
  forModerators?: string;
  /** The model call that the entry is about, if it isn't stored with an answer. */
  call?: ModelCallNote;
}

/** How many timeline entries are kept per turn; a longer timeline loses its middle, not its beginning or end, and says how much is gone. */
export const MAX_EVENTS = 60;
const KEPT_FIRST_EVENTS = 20;
/** The entry that replaces dropped ones; its detail is their number. */
export const LEFT_OUT = "entries_left_out";
/** The most characters of one detail. `/bot trace` shows fewer, and the timeline is written with every step. */
const MAX_DETAIL_CHARS = 400;

/** Adds one entry to a timeline, within a limit, so that a long turn's row does not keep growing. */
export function withEvent(events: TurnEvent[], { detail, ...rest }: TurnEvent): TurnEvent[] {
  const event = detail === undefined ? rest : { ...rest, detail: detail.slice(0, MAX_DETAIL_CHARS).toWellFormed() };
  if (events.length < MAX_EVENTS) return [...events, event];
  const [gap, lost, ...last] = events.slice(KEPT_FIRST_EVENTS);
  const leftOut = (gap?.what === LEFT_OUT ? Number(gap.detail) : 1) + 1;
  const gapNow = { at: lost?.at ?? event.at, what: LEFT_OUT, detail: `${leftOut}` };
  return [...events.slice(0, KEPT_FIRST_EVENTS), gapNow, ...last, event];
}
