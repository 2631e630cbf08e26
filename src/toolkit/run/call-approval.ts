// A dangerous call before a person has agreed to it: the call in words, and the result that stands in its stead. Who is asked, how
// long, and what a press comes to is core/approval.ts.

import { callText } from "../../core/copy/notices.ts";
import { refused, type ToolResult } from "../tool-result.ts";
import type { CheckedCall } from "./runtime-ports.ts";

const MAX_SUMMARY_CHARS = 600;

/** What is known of one call's approval. `spent`: another call of the turn was the one that it may ask for. */
export type ApprovalVerdict = "open" | "approved" | "denied" | "expired" | "spent";

/** A call as it is put to people: in words, and the address of the message that it is about. */
export interface CallWords {
  summary: string;
  link?: string;
}

/** The call as a person can judge it. */
export function describeCallForApproval({ tool, input, context }: CheckedCall): CallWords {
  const text = callText(tool.name, input);
  const summary = text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS - 1)}…` : text;
  const message = tool.concerns?.(input, context) ?? null;
  if (message === null) return { summary };
  const { guildId, channelId } = context;
  return { summary, link: `https://discord.com/channels/${guildId ?? "@me"}/${channelId}/${message}` };
}

/** The result that stands in for a dangerous call that is not approved; null when it may run. */
export function approvalRefusal(verdict: ApprovalVerdict): ToolResult | null {
  switch (verdict) {
    case "approved":
      return null;
    case "open":
      return refused(
        "needs_approval",
        "a person has to approve this call before it runs, and nobody can be asked here",
      );
    case "denied":
      return refused("denied", "a person denied this call; do not try it again in another way");
    case "expired":
      return refused("denied", "nobody approved this call in time, so it did not run");
    case "spent":
      return refused("blocked", "one dangerous call is allowed per turn, and it has been asked for; nothing ran");
  }
}
