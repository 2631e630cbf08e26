// What the channel is doing, for `/bot status`: as plain data, and as text.

import { turnsText } from "../copy/deliberate-text.ts";
import { seconds } from "../copy/outcome.ts";
import { closedWindow } from "../deliberate/affordance-window.ts";
import type { ChannelState, TurnRecord } from "./record.ts";
import type { StatusReport } from "./rpc.ts";

/** Builds the report at `now` (epoch milliseconds); its times are durations in milliseconds. */
export function buildStatusReport(
  { lock, running, queue, parked }: ChannelState,
  maxIterations: number,
  now: number,
): StatusReport {
  const owner = ({ request }: TurnRecord) => request.userId;
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
  };
}

/** The index of the step that runs. An answer that is stored counts as an iteration before its tools have run. */
const findStep = ({ phase, iteration }: TurnRecord): number =>
  phase === "tools" ? Math.max(0, iteration - 1) : iteration;

const PHASES: Record<NonNullable<StatusReport["running"]>["phase"], string> = {
  planning: "preparing",
  streaming: "the model is writing",
  tools: "using tools",
  parked: "waiting for approval",
  finishing: "sending the last words",
};

/** The report as a few lines of text. */
export function statusText({ running, queue, parked, approvals = [], window = closedWindow }: StatusReport): string {
  const lines: string[] = [];
  if (!running) lines.push("Nothing is running.");
  else {
    const step = `step ${running.iteration + 1} of ${running.maxIterations}`;
    const doing = running.stopping ? "being stopped" : PHASES[running.phase];
    lines.push(`Answering <@${running.userId}> for ${seconds(running.elapsedMs)}: ${doing}, ${step}.`);
    if (running.tool) lines.push(`Tool: \`${running.tool.name}\` for ${seconds(running.tool.forMs)}.`);
    lines.push(`This turn may go on for ${seconds(running.deadlineInMs)}.`);
  }
  lines.push(queue.length === 0 ? "Nobody waits." : `Waiting: ${queue.map(mention).join(", ")}.`);
  const waiting = parked.map((userId, index) => {
    const asked = approvals[index];
    return asked ? `${mention(userId)} for \`${asked.tool}\` (${seconds(asked.expiresInMs)} left)` : mention(userId);
  });
  if (waiting.length > 0) lines.push(`Waiting for approval: ${waiting.join(", ")}.`);
  const kept = Object.entries(window).map(([tool, turns]) => `\`${tool}\` for ${turnsText(turns)} more`);
  if (kept.length > 0) lines.push(`Still offered in deliberate mode: ${kept.join(", ")}.`);
  return lines.join("\n");
}

const mention = (userId: string) => `<@${userId}>`;
