// Lists the turns of a channel that are not over.
import type { ChannelState, TurnRecord } from "./record.ts";

/** Returns the turns that have not ended: the running one first, then those that wait in the queue, then those that are parked. */
export const openTurns = ({ running, queue, parked }: ChannelState): TurnRecord[] => [
  ...(running ? [running] : []),
  ...queue,
  ...parked,
];

/** Returns the open turns, followed by those that have ended but whose last edit is on its way. */
export const unfinishedTurns = (state: ChannelState): TurnRecord[] => [...openTurns(state), ...state.closing];

/** Whether the turn is no longer one of these. */
export const isOver = ({ state }: TurnRecord): boolean => state === "finished" || state === "refused";
