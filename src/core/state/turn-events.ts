// The timeline of a turn: its lines, and how many of them are kept.

/** One line of the timeline that explains a turn: when, what, and a short detail. */
export interface TurnEvent {
  at: number;
  what: string;
  detail?: string;
}

/** Timeline entries kept of one turn; the middle of a longer story is dropped, not its beginning or end. */
export const MAX_EVENTS = 60;
const KEPT_FIRST_EVENTS = 20;

/** Adds one line to a timeline, bounded so that a long turn's row does not grow with its length. */
export function withEvent(events: TurnEvent[], event: TurnEvent): TurnEvent[] {
  if (events.length < MAX_EVENTS) return [...events, event];
  return [...events.slice(0, KEPT_FIRST_EVENTS), ...events.slice(KEPT_FIRST_EVENTS + 1), event];
}
