// Which turns of a channel are not over.
import type { ChannelState, TurnRecord } from "./record.ts";

/** The running one first, then those that wait, those that are parked, and those whose last edit is on its way. */
export const unfinishedTurns = ({ running, queue, parked, closing }: ChannelState): TurnRecord[] => [
  ...(running ? [running] : []),
  ...queue,
  ...parked,
  ...closing,
];
