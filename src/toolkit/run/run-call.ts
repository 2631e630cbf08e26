// Answers a checked call: from the cache, from an equal call in flight, from a recorded result, or by running the tool.

import type { Tool } from "../define/tool.ts";
import { MAX_THROWN_CHARS, refused, type ToolResult, UNKNOWN_OUTCOME } from "../tool-result.ts";
import { runTool } from "./attempts.ts";
import { buildCacheKey, cachedResult, decideCacheScope, keepResult } from "./call-cache.ts";
import { buildMeta, type CallTrail } from "./call-trail.ts";
import { openLaunch } from "./launch-effect.ts";
import { withoutBytes } from "./result-files.ts";
import type { CacheScope, CheckedCall, PlatformPorts, ResultCache, TurnPorts } from "./runtime-ports.ts";
import type { Scrubber } from "./scrub.ts";
import { readToolAnswer, thrownResult } from "./tool-outcome.ts";
import type { RunEnd } from "./transient.ts";
import { untilAborted } from "./until-aborted.ts";
import { createUntrustedMark } from "./untrusted-result.ts";

/** Answers one call within `timeoutMs`. Throws only what a ledger or a cache throws. */
export type RunCall = (call: CheckedCall, timeoutMs: number, trail: CallTrail) => Promise<ToolResult>;

/** Returns the result of a call that was ended before it had an answer. */
export const endedResult = (): ToolResult => refused("aborted", "the turn was ended");

/** Creates the runner for one turn's calls. Equal cacheable calls in flight share one run. */
export function createCallRunner(
  platform: PlatformPorts,
  { cache, ledger }: Pick<TurnPorts, "cache" | "ledger">,
  scrub: Scrubber,
): RunCall {
  const inFlight = new Map<string, Promise<ToolResult>>();
  const marked = createUntrustedMark(platform.random);

  const run: RunCall = async (call, timeoutMs, trail) => {
    const { tool } = call;
    const { end, attempts, failedRuns } = await runTool(call, timeoutMs, platform);
    trail.attempts = attempts;
    trail.failedRuns = failedRuns.map((one) => ({ ...one, error: scrub.text(one.error, MAX_THROWN_CHARS) }));
    const result = marked(call, resultOfEnd(tool, end, scrub), () => dataOfEnd(end));
    trail.isFault = isFault(end, result);
    return result.ok && tool.category === "terminal" ? { ...result, endTurn: true } : result;
  };

  const runRecorded: RunCall = async (call, timeoutMs, trail) => {
    if (!ledger || call.tool.hints.readOnly) return run(call, timeoutMs, trail);
    const at = platform.clock();
    const launch = openLaunch(ledger, call, { at, deadlineAt: at + timeoutMs });
    if (launch.kind === "answered") return launch.result;
    const result = await run(call, timeoutMs, trail);
    // Whether a call that was ended took effect is unknown: its entry stays open, and a later life will say so.
    if (result.status === "aborted") return result;
    const settled = { ...result, meta: buildMeta(trail, platform.clock()) };
    return ledger.settle(launch.entry, settled) ? result : endedResult();
  };

  const runCached = async (
    call: CheckedCall,
    timeoutMs: number,
    trail: CallTrail,
    kept: ResultCache,
    scope: CacheScope,
  ): Promise<ToolResult> => {
    const key = await buildCacheKey(call, platform);
    const { signal } = call.context;
    let hit = cachedResult(kept, scope, key, platform.clock());
    // Without an equal call in flight there must be no wait here: another equal call may be at the same point.
    for (let other = inFlight.get(key); other && !hit; other = inFlight.get(key)) hit = await sharedRun(other, signal);
    trail.cached = hit !== null;
    if (hit) return marked(call, withoutBytes(hit), null);
    const running = run(call, timeoutMs, trail);
    inFlight.set(key, running);
    try {
      const result = await running;
      keepResult(kept, scope, key, call, result, platform.clock());
      return result;
    } finally {
      inFlight.delete(key);
    }
  };

  return (call, timeoutMs, trail) => {
    const scope = cache ? decideCacheScope(call) : null;
    return cache && scope ? runCached(call, timeoutMs, trail, cache, scope) : runRecorded(call, timeoutMs, trail);
  };
}

function resultOfEnd(tool: Tool, end: RunEnd, scrub: Scrubber): ToolResult {
  switch (end.kind) {
    case "answered":
      return readToolAnswer(end.answer, tool, scrub);
    case "thrown":
      return thrownResult(end.error, scrub);
    case "timeout":
      return refused("timeout", `timed out after ${Math.round(end.limitMs / 1000)} s${unsure(tool)}`);
    case "aborted":
      return endedResult();
  }
}

const dataOfEnd = (end: RunEnd): unknown =>
  end.kind === "answered" ? (end.answer as { data?: unknown } | null | undefined)?.data : undefined;

/** Only a call that may not run twice gets the warning: repeating the others does no harm. */
const unsure = ({ hints }: Tool): string => (hints.readOnly || hints.idempotent ? "" : UNKNOWN_OUTCOME);

/** Whether something is broken. Otherwise a failure is simply the tool's answer. */
function isFault(end: RunEnd, { status }: ToolResult): boolean {
  if (end.kind !== "answered" || status === "invalid_result") return end.kind !== "aborted";
  const { retryable, isFault: said } = (end.answer ?? {}) as { retryable?: unknown; isFault?: unknown };
  return status === "error" && (retryable === true || said === true);
}

/** Returns the result of an equal call in flight; null if that call was ended by its own signal. */
async function sharedRun(running: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult | null> {
  const shared = await untilAborted(signal, running).catch((error: unknown) => {
    if (signal.aborted) return endedResult();
    throw error;
  });
  return shared.status === "aborted" && !signal.aborted ? null : shared;
}
