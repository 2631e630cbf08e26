// Handles a call that needs approval and has none yet: its description for people, and the result that replaces running it. Who may
// approve, for how long, and what a click does is in src/core/decisions/approval.ts.

import { callText } from "../../core/copy/notices.ts";
import { shortened } from "../../core/markdown/code-points.ts";
import { needsButton } from "../../core/taint/taint.ts";
import { isForModerator } from "../define/tool.ts";
import { refused, type ToolResult } from "../tool-result.ts";
import type { ApprovalVerdict, CallWords, CheckedCall } from "./runtime-ports.ts";

const MAX_SUMMARY_CHARS = 600;

/** Whether a person must approve the call: because it is dangerous, or because words of strangers may have led to it. */
export const needsApproval = (call: CheckedCall): boolean => call.tool.category === "dangerous" || isSuspect(call);

function isSuspect({ tool, input, context: { taint } }: CheckedCall): boolean {
  const { name: toolName, hints, address } = tool;
  return (
    taint !== undefined && needsButton({ toolName, readOnly: hints.readOnly, address: address?.(input) ?? null }, taint)
  );
}

/** Describes the call so that a person can judge it. */
export function describeCallForApproval(call: CheckedCall): CallWords {
  const { tool, input, context } = call;
  const text = callText(tool.name, input);
  const summary = shortened(text, MAX_SUMMARY_CHARS);
  const message = tool.concerns?.(input, context) ?? null;
  return {
    summary,
    ...(summary !== text && { isCut: true }),
    ...(isForModerator(tool) && { byModerator: true }),
    ...(isSuspect(call) && { isSuspect: true }),
    ...(message !== null && { messageId: message }),
  };
}

/** Returns the result that replaces a call without approval; null when it may run. */
export function approvalRefusal(verdict: ApprovalVerdict): ToolResult | null {
  switch (verdict) {
    case "approved":
      return null;
    case "open":
      return refused("needs_approval", "a person must approve this call before it runs, and nobody can be asked here");
    case "denied":
      return refused("denied", "a person denied this call; do not try it again in another way");
    case "expired":
      return refused("denied", "nobody approved this call in time, so it did not run");
    case "no_approver":
      return refused(
        "denied",
        'only a moderator, an approver or (where no server has added the bot) its owner may approve this call, and nobody here is one, so it did not run; the operator can set `"approve": "asker"` in MCP_SERVERS',
      );
    case "spent":
      return refused("blocked", "a person is asked about only one call per turn, and was already asked; nothing ran");
  }
}
