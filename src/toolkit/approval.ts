// A person's agreement to a dangerous call: what is asked, who may answer, when it is too late. Pure; where a request is kept and
// how its buttons look is for others.
import type { CheckedCall } from "./ports.ts";
import { refused, type ToolResult } from "./tool-result.ts";

/** Discord's interaction tokens live 15 minutes; an answer within 10 still finds the reply's token alive. */
export const APPROVAL_LIFE_MS = 10 * 60_000;
const MAX_SUMMARY_CHARS = 600;

/** What is known of one call's approval. */
export type ApprovalVerdict =
  | { kind: "open" }
  | { kind: "approved"; by: string }
  | { kind: "denied"; by: string }
  | { kind: "expired" };

/** A stored request: the turn is parked on it. Ids are Discord's; times epoch milliseconds. */
export interface ApprovalRequest {
  ownerId: string;
  askedAt: number;
  decision: { approved: boolean; by: string } | null;
}

/** A click on one of the two buttons. */
export interface ApprovalClick {
  userId: string;
  moderator: boolean;
  approved: boolean;
}

/** What a click came to. Only `decided` changes anything. */
export type ClickOutcome =
  | { kind: "decided"; request: ApprovalRequest }
  | { kind: "already_decided" }
  | { kind: "expired" }
  | { kind: "not_allowed" };

/** The verdict on a request; null when nobody was asked. Exactly at its end a request has expired. */
export function verdictOn(request: ApprovalRequest | null, now: number): ApprovalVerdict {
  if (!request) return { kind: "open" };
  const { decision, askedAt } = request;
  if (decision) return { kind: decision.approved ? "approved" : "denied", by: decision.by };
  return now - askedAt >= APPROVAL_LIFE_MS ? { kind: "expired" } : { kind: "open" };
}

/** Takes a click of the turn's owner or a moderator; the first one counts. */
export function decideClick(request: ApprovalRequest, click: ApprovalClick, now: number): ClickOutcome {
  if (click.userId !== request.ownerId && !click.moderator) return { kind: "not_allowed" };
  const verdict = verdictOn(request, now);
  if (verdict.kind === "expired") return { kind: "expired" };
  if (verdict.kind !== "open") return { kind: "already_decided" };
  return {
    kind: "decided",
    request: { ...request, decision: { approved: click.approved, by: click.userId } },
  };
}

/** The call in words that a person can judge. */
export function summaryOf({ tool, input }: Pick<CheckedCall, "tool" | "input">): string {
  const details = Object.entries(input).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const text = details.length === 0 ? tool.name : `${tool.name} with ${details.join(", ")}`;
  return text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS - 1)}…` : text;
}

/** The result that stands in for a dangerous call until it is approved; null when it may run. */
export function approvalRefusal(call: CheckedCall, verdict: ApprovalVerdict): ToolResult | null {
  switch (verdict.kind) {
    case "approved":
      return null;
    case "open": {
      const data = { tool: call.tool.name, summary: summaryOf(call), expiresInMs: APPROVAL_LIFE_MS };
      return refused("needs_approval", "a person has to approve this call before it runs", { data });
    }
    case "denied":
      return refused("denied", "a person denied this call; do not try it again in another way");
    case "expired":
      return refused("denied", "nobody approved this call in time, so it did not run");
  }
}
