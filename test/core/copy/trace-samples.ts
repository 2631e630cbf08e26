// Sample arguments for the sentences about what happened in a turn.
import type { Thoughts } from "../../../src/core/decisions/thought-log.ts";
import type { TraceReport } from "../../../src/core/decisions/trace.ts";

const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);

const USER = "1180000000000000022";
const AT = 1_900_000_000_000;

const report: TraceReport = {
  turnId: "112",
  userId: USER,
  state: "finished",
  status: "completed",
  createdAt: AT,
  startedAt: AT + 500,
  endedAt: AT + 70_000,
  usage: { inputTokens: 120, outputTokens: 30, modelCalls: 1, cachedInputTokens: 100, microUsd: 90 },
  events: ["admitted", "started", "parked", "went on", "ended"].map((what, n) => ({ at: AT + n * 1000, what })),
};

const thoughts: Thoughts = {
  source: `<#${USER}>`,
  reasoning: "Dice, then.",
  tools: [
    { kind: "tool_triggered", tool: "roll_dice", phrase: "roll", source: "built-in" },
    { kind: "tool_failed", tool: "roll_dice", reason: "No such die.", arguments: '{"die":7}' },
  ],
  ending: { kind: "crashed" },
};

/** Keyed by the name of the sentence. */
export const traceSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "thought-log.thoughtPages": one([thoughts]),
  "timeline.timelineText.stoppedBy": one(["Mira"]),
  "timeline.timelineText.deliveredInPart": one(["token_expired"]),
  "timeline.timelineText.message": one([1]),
  "timeline.timelineText.reminder": one([1]),
  "timeline.timelineText.retry": [["small", "rate_limited", 2000]],
  "timeline.timelineText.modelFailed": [["small", "timeout", 30_000]],
  "timeline.timelineText.providerSaid": one([
    { status: 402, code: "insufficient_quota", message: "You exceeded your current quota." },
    { message: "fetch failed" },
  ]),
  "timeline.timelineText.modelAnswered": one([
    { model: "small", usage: { inputTokens: 9, outputTokens: 3, costMicroUsd: 123 }, durationMs: 800, calls: 2 },
    { model: "small", usage: { inputTokens: 9, outputTokens: 3, isEstimate: true }, durationMs: 800, calls: 0 },
  ]),
  "timeline.timelineText.modelCut": one([{ inputTokens: 900, outputTokens: 1000, isEstimate: true }]),
  "timeline.timelineText.enriched": one(["reveal_message_metadata"]),
  "timeline.timelineText.call": [["roll_dice", '{"sides":6}', "ok"]],
  "timeline.timelineText.callCost": one([
    { attempts: 1, cached: true, durationMs: 0 },
    { attempts: 3, cached: false, durationMs: 90 },
  ]),
  "tool-needs.toolNeeds.permission": one(["PIN_MESSAGES"]),
  "tool-needs.toolNeeds.modelAbility": one(["images"]),
  "tool-needs.toolNeeds.setting": one(["model"]),
  "tool-needs.noMessage": one(["ref_9"]),
  "trace.traceChoiceText": [
    [{ turnId: "1", userName: "Mira", text: "Hi", state: "finished", status: "model_failed" }],
    [{ turnId: "1", userName: "Mira", text: "Hi", state: "finished", status: "completed" }, 1],
  ],
  "trace.traceText": [
    [null, AT],
    [report, AT],
  ],
};
