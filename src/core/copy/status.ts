// Says what the channel is doing, for `/bot status`.
import { closedWindow } from "../deliberate/affordance-window.ts";
import type { StatusReport } from "../state/rpc.ts";
import { summarizedText } from "./compaction.ts";
import { moreTurnsText } from "./deliberate.ts";
import { seconds } from "./durations.ts";
import { person } from "./notices.ts";

const PHASES: Record<NonNullable<StatusReport["running"]>["phase"], string> = {
  planning: "preparing",
  streaming: "the model is writing",
  tools: "using tools",
  parked: "waiting for approval",
  finishing: "sending the end of the answer",
};

/** Describes what the channel is doing, in a few lines. */
export function statusText(report: StatusReport): string {
  const { running, queue, parked, approvals = [], window = closedWindow, summarized = 0, unshown } = report;
  const lines: string[] = [];
  if (!running) lines.push("Nothing is running.");
  else {
    const step = `step ${running.iteration + 1} of ${running.maxIterations}`;
    const doing = running.stopping ? "being stopped" : PHASES[running.phase];
    lines.push(`Answering ${person(running.userId)} for ${seconds(running.elapsedMs)}: ${doing}, ${step}.`);
    if (running.tool) lines.push(`Tool: \`${running.tool.name}\` for ${seconds(running.tool.forMs)}.`);
    lines.push(`Time left: ${seconds(running.deadlineInMs)}.`);
  }
  lines.push(queue.length === 0 ? "No one is waiting." : `Waiting: ${queue.map(person).join(", ")}.`);
  const waiting = parked.map((userId, index) => {
    const asked = approvals[index];
    return asked ? `${person(userId)} for \`${asked.tool}\` (${seconds(asked.expiresInMs)} left)` : person(userId);
  });
  if (waiting.length > 0) lines.push(`Waiting for approval: ${waiting.join(", ")}.`);
  if (unshown?.userIds.length) lines.push(`Answered, but not shown yet: ${unshown.userIds.map(person).join(", ")}.`);
  if (unshown?.isMute)
    lines.push(
      "Discord doesn't accept my token, so I can only answer commands and buttons. My owner must set the current one.",
    );
  const kept = Object.entries(window).map(([tool, turns]) => `\`${tool}\` for ${moreTurnsText(turns)}`);
  if (kept.length > 0) lines.push(`Still offered in deliberate mode: ${kept.join(", ")}.`);
  if (summarized > 0) lines.push(`${summarizedText(summarized)} See \`/bot summary\`.`);
  return lines.join("\n");
}
