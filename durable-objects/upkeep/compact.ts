// Summarizes the older part of the channel's conversation: by the alarm, when there is nothing else to do, or while turns run if it can't
// wait. The call is stored before it is made, so that it counts once whatever dies; the summary and the end of its call are one transaction.
// It never delays anything, and nobody is notified of a failure. See README.md in durable-objects/turn.
import { placeLimits } from "../../src/channel/place-limits.ts";
import { mayCompact, planAfterFailure } from "../../src/core/decisions/compaction.ts";
import { describeError } from "../../src/core/describe-error.ts";
import { CALL_ESTIMATE } from "../../src/core/money/lease.ts";
import { stepCost } from "../../src/core/money/price.ts";
import type { TokenUsage } from "../../src/core/money/usage.ts";
import type { CompactionPlan, SummaryCall } from "../../src/core/state/compaction-plan.ts";
import { conversationName } from "../../src/core/state/private-turns.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { Summary } from "../../src/core/transcript/compaction.ts";
import { findSummaryFault, MAX_SUMMARY_CHARS, nextSummary } from "../../src/core/transcript/new-summary.ts";
import { BOT_NAME } from "../../src/core/transcript/speaker.ts";
import { requestFrame, summaryRequest } from "../../src/core/transcript/summary-text.ts";
import { stepUsage, usageIfCut } from "../../src/turn/estimated-usage.ts";
import type { Model, ModelRequest, TurnAbort } from "../../src/turn/ports.ts";
import { windowOf } from "../../src/turn/prompt.ts";
import { streamOnce } from "../../src/turn/stream-once.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { askScope, countedIn } from "../scope-calls/ask-scope.ts";
import { sendReports } from "../scope-calls/usage-reports.ts";
import { spentBeforeSummary } from "../settings/budgets.ts";
import { effectiveSettings, summaryModel } from "../settings/effective-settings.ts";
import { isStored, readPart, type SummaryPart } from "../turn/summary-part.ts";
import { planCompaction, planned, windowHere, withCallCounted } from "./compaction-plan.ts";
import { newestRequest } from "./summary-on-demand.ts";

/** How long the model has for a summary. */
const ANSWER_LIMIT_MS = 30_000;
/** When the next life takes over an attempt that this one did not end: time for the scope's answer, the model's, and some seconds more. */
const ATTEMPT_MS = ANSWER_LIMIT_MS + 15_000;
/** The most tokens of a summary, and of the model's thinking before it. */
const SUMMARY_TOKENS = 800;
const THINKING_TOKENS = 3200;

/** Everything that one attempt works with. */
interface Attempt {
  /** The newest turn's request. It says which scope counts the call, and by which person the scope judges whether anything may run here. */
  request: TurnRequest;
  model: Model;
  before: Summary | null;
  part: SummaryPart;
  wanted: ModelRequest;
}

/** Begins the planned summary in the background. Does nothing while one is being made, or while there is other work and it can wait. */
export function compact(channel: Channel): void {
  const { ports } = channel;
  const { store, clock } = ports;
  const { compaction: plan } = store.lock();
  if (channel.compacting || !plan || !mayCompact(plan, store.state())) return;
  const { call } = plan;
  if (call) {
    // An earlier life left this call.
    store.transaction(() => endPlan(channel, planAfterFailure(plan, clock()), { call, usage: call.ifCut }));
    sendReports(channel);
    return;
  }
  const compacting = { controller: new AbortController(), until: clock() + ATTEMPT_MS };
  channel.compacting = compacting;
  const done = summarize(channel, plan, compacting.controller)
    .catch((error: unknown) => {
      ports.log.error("a summary crashed", { error: describeError(error) });
      const { compaction } = store.lock();
      const isOurs = channel.compacting === compacting && compaction;
      if (isOurs) fail(channel, compaction, compaction.call && { call: compaction.call, usage: compaction.call.ifCut });
    })
    .finally(() => {
      if (channel.compacting === compacting) channel.compacting = null;
      rearm(channel);
      sendReports(channel);
    });
  ports.keepAlive(done);
}

/** Collects what an attempt needs. Null if there is nothing to summarize, or no budget for it: the next turn's end plans again. */
function prepare({ ports }: Channel, plan: CompactionPlan): Attempt | null {
  const { store } = ports;
  const { owner = null } = plan;
  const request = newestRequest(ports, owner);
  const model = request && summaryModel(ports, request);
  if (!model) return null;
  const before = store.summary();
  const room = windowOf(model).tokens - requestFrame() - (before?.tokens ?? 0);
  const part = readPart(store, windowHere(ports, request), room, owner);
  if (!part || spentBeforeSummary(ports)) return null;
  const text = summaryRequest(before?.text ?? null, part.lines, plan.asked?.focus ?? null);
  const wanted = { ...text, tools: [], maxOutputTokens: SUMMARY_TOKENS + THINKING_TOKENS };
  return { request, model, before, part, wanted };
}

async function summarize(channel: Channel, plan: CompactionPlan, controller: AbortController): Promise<void> {
  const { ports } = channel;
  const { store, clock, timers, log, instance } = ports;
  const attempt = prepare(channel, plan);
  if (!attempt) return store.transaction(() => endPlan(channel, undefined));
  const { request, model, before, part, wanted } = attempt;
  const { signal } = controller;
  const at = clock();
  const ifCut = usageIfCut(wanted, model.price);
  const channelId = conversationName(request);
  const call: SummaryCall = { id: `summary:${instance}:${at}`, channelId, guildId: countedIn(request), at, ifCut };
  const permission = await mayCall(channel, attempt, call, signal);
  if (signal.aborted) return;
  if (permission === "unknown") return fail(channel, plan);
  if (permission === "refused") return store.transaction(() => endPlan(channel, undefined));
  store.transaction(() => store.saveLock({ ...store.lock(), compaction: { ...plan, call } }));
  const end = () => controller.abort({ kind: "deadline" } satisfies TurnAbort);
  const cancel = timers.after(ANSWER_LIMIT_MS, end);
  const heard = await streamOnce(
    {
      model,
      timers,
      clock,
      limits: { firstTokenTimeoutMs: ANSWER_LIMIT_MS, streamTimeoutMs: ANSWER_LIMIT_MS },
      signal,
      stopFlag: () => null,
      onText: (text) => {
        if (text.trim().length > MAX_SUMMARY_CHARS) end();
      },
      ownName: BOT_NAME,
      toolNames: [],
    },
    wanted,
  ).finally(cancel);
  const usage = stepUsage(wanted, heard, model.price);
  const { accumulatedText: text } = heard;
  const isWhole = heard.status === "completed" && heard.finishReason === "stop";
  const replaced = (before?.text.length ?? 0) + part.lines.join("\n").length;
  const fault = isWhole || text.trim().length > MAX_SUMMARY_CHARS ? findSummaryFault(text, replaced) : heard.status;
  store.transaction(() => {
    const { compaction } = store.lock();
    // A message, a moderator or another life came first, and has already counted the call.
    if (compaction?.call?.id !== call.id) return;
    const isSame = store.summary()?.toSeq === before?.toSeq && isStored(store, part);
    if (fault !== null || !isSame) {
      const failure = heard.status === "error" && heard.data;
      log.warn("a summary was not taken", {
        reason: fault ?? "changed",
        ...failure,
        model: model.name,
        ms: clock() - at,
      });
      return endPlan(channel, planAfterFailure(compaction, clock()), { call, usage });
    }
    store.saveSummary(nextSummary(before, part, { text, model: model.name, at: clock() }));
    endPlan(channel, planCompaction(ports, request, undefined).compaction, { call, usage });
    log.info("summarized the conversation", { messages: part.messages, model: model.name, ms: clock() - at });
  });
}

/** Ends the plan, counts its call, and stores the next plan if there is one, within the caller's transaction. */
function endPlan(
  channel: Channel,
  next: CompactionPlan | undefined,
  ended?: { call: SummaryCall; usage: TokenUsage | null },
): void {
  const { store } = channel.ports;
  const { compaction: _ended, ...lock } = store.lock();
  const counted = ended ? withCallCounted(channel, lock, ended.call, ended.usage) : lock;
  store.saveLock({ ...counted, ...planned(next) });
}

const fail = (channel: Channel, plan: CompactionPlan, ended?: Parameters<typeof endPlan>[2]): void =>
  channel.ports.store.transaction(() => {
    const { call: _ended, ...rest } = plan;
    endPlan(channel, planAfterFailure(rest, channel.ports.clock()), ended);
  });

/** Asks the scope, which may be paused or have a limit that no channel can count. No person's limits are affected. */
async function mayCall(
  { ports }: Channel,
  { request, model: { price } }: Attempt,
  { id: turnId, guildId, ifCut }: SummaryCall,
  signal: AbortSignal,
): Promise<"granted" | "refused" | "unknown"> {
  const limits = { ...placeLimits(effectiveSettings(ports)), userTurns: 0, userTokens: 0, userMicroUsd: 0 };
  const step = { inputTokens: ifCut.inputTokens, outputTokens: CALL_ESTIMATE.outputTokens };
  const estimate = { tokens: step.inputTokens + step.outputTokens, microUsd: price ? stepCost(step, price) : 0 };
  const person = { userId: request.userId, guildId: request.guildId, isServerInstall: guildId !== null };
  const spent = { tokens: 0, microUsd: 0 };
  const answer = await askScope(
    ports,
    guildId,
    (scope) => scope.lease({ turnId, userId: "", guildId, spent, estimate, limits, person }),
    signal,
  );
  if (answer === null) return "unknown";
  return answer.kind === "granted" ? "granted" : "refused";
}
