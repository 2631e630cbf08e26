// Reports what the channel is doing, as plain data for `/bot status`; copy/status.ts makes the text.

import { closedWindow } from "../deliberate/affordance-window.ts";
import { isKnownTo } from "../state/private-turns.ts";
import type { ChannelState, TurnRecord } from "../state/record.ts";
import type { StatusReport } from "../state/rpc.ts";

/** The inputs of a report. `now`: epoch milliseconds. */
interface StatusInput {
  viewerId: string;
  maxIterations: number;
  now: number;
  /** How many messages are summarized. */
  summarized?: number;
  /** Discord does not accept the bot's token. */
  isMute?: boolean;
}

/** An answer that Discord has not taken for this long is mentioned. */
const UNSHOWN_MS = 60_000;

/** Builds the report, without other people's private turns. Its times are durations in milliseconds. */
export function buildStatusReport(
  state: ChannelState,
  { viewerId, maxIterations, now, summarized = 0, isMute = false }: StatusInput,
): StatusReport {
  const { lock } = state;
  const known = (turns: TurnRecord[]) => turns.filter((turn) => isKnownTo(turn, viewerId));
  const [running = null] = known(state.running ? [state.running] : []);
  const queue = known(state.queue);
  const parked = known(state.parked);
  const owner = ({ request }: TurnRecord) => request.userId;
  const unshown = known(state.closing).filter(({ endedAt }) => now - (endedAt ?? now) > UNSHOWN_MS);
  const tool = running?.currentToolCall;
  return {
    running: running && {
      userId: running.request.userId,
      phase: running.phase,
      iteration: Math.min(findStep(running), maxIterations - 1),
      maxIterations,
      tool: tool ? { name: tool.name, forMs: now - tool.since } : null,
      elapsedMs: now - (running.startedAt ?? now),
      deadlineInMs: Math.max(0, (running.deadlineAt ?? now) - now),
      stopping: running.stop !== null,
    },
    queue: queue.map(owner),
    parked: parked.map(owner),
    approvals: parked.map(({ approval }) =>
      approval ? { tool: approval.tool, expiresInMs: Math.max(0, approval.expiresAt - now) } : null,
    ),
    window: lock.window ?? closedWindow,
    ...(summarized > 0 && { summarized }),
    ...((unshown.length > 0 || isMute) && { unshown: { userIds: unshown.map(owner), isMute } }),
  };
}

/** Returns the index of the running step. A stored answer counts as an iteration before its tools have run. */
const findStep = ({ phase, iteration }: TurnRecord): number =>
  phase === "tools" ? Math.max(0, iteration - 1) : iteration;
