// What the channel is doing, as plain data for `/bot status`.
import type { StatusReport } from "./messages.ts";
import type { ChannelState } from "./record.ts";

/** The report at `now`; lengths in milliseconds. */
export function statusOf({ running, queue, parked }: ChannelState, maxIterations: number, now: number): StatusReport {
  const owner = ({ trigger }: { trigger: { userId: string } }) => trigger.userId;
  const tool = running?.currentToolCall;
  return {
    running: running && {
      userId: running.trigger.userId,
      phase: running.phase,
      iteration: Math.min(running.iteration, maxIterations - 1),
      maxIterations,
      tool: tool ? { name: tool.name, forMs: now - tool.since } : null,
      elapsedMs: now - (running.startedAt ?? now),
      deadlineInMs: Math.max(0, (running.deadlineAt ?? now) - now),
      stopping: running.stop !== null,
    },
    queue: queue.map(owner),
    parked: parked.map(owner),
  };
}
