// Which turns of a channel are not over.
import type { ChannelState, TurnRecord } from "./record.ts";

/** The turns that have not ended: the running one first, then those that wait in the queue, then those that are parked. */
export const openTurns = ({ running, queue, parked }: ChannelState): TurnRecord[] => [
  ...(running ? [running] : []),
  ...queue,
  ...parked,
];

/** The open turns, and after them those that have ended but whose last edit is on its way. */
export const unfinishedTurns = (state: ChannelState): TurnRecord[] => [...openTurns(state), ...state.closing];

/** Is the turn none of these any more? */
export const isOver = ({ state }: TurnRecord): boolean => state === "finished" || state === "refused";
