// Decides with the ledger whether a tool that changes something may run now. The decision comes before the run; the result is written
// after it.

import { refused, type ToolResult } from "../tool-result.ts";
import { buildLaunchEntry, interrupted } from "./launch-entry.ts";
import type { CheckedCall, LaunchEntry, LaunchState, LaunchTimes, Ledger } from "./runtime-ports.ts";

/** `run` with its open entry, or the result that replaces a run. */
export type Launch = { kind: "run"; entry: LaunchEntry } | { kind: "answered"; result: ToolResult };

/** Looks up the effect, decides, and writes `pending` if the call may run. */
export function openLaunch(ledger: Ledger, call: CheckedCall, times: Omit<LaunchTimes, "callId">): Launch {
  const entry = buildLaunchEntry(call);
  const found = ledger.find(entry);
  const result = found ? standIn(found, entry, call.tool.hints.idempotent) : ledger.settledBefore(entry);
  if (result) return { kind: "answered", result };
  if (!ledger.open(entry, { ...times, callId: call.context.callId }))
    return { kind: "answered", result: refused("aborted", "the turn belongs to another life") };
  return { kind: "run", entry };
}

/** Returns the result that replaces a run, given what the ledger has under the key; null when the tool may run. */
function standIn(found: LaunchEntry & LaunchState, asked: LaunchEntry, isIdempotent: boolean): ToolResult | null {
  if (found.tool !== asked.tool || found.args !== asked.args)
    return refused("conflict", "the key of this call belongs to another call; nothing ran");
  if (found.state === "settled") return found.result;
  if (found.ownLife) return refused("conflict", "the same call is running or was abandoned; nothing ran again");
  if (isIdempotent) return null;
  return interrupted();
}
