// Decides what a refused or lost request means for a reply. Discord's `code` is more specific than the HTTP status, which has many meanings.
import { isTokenRefused } from "./refusal.ts";
import type { RestFailure } from "./rest.ts";

/**
 * `unknown_outcome`: no answer came, or the server failed; a create may have taken effect. `webhook_unknown`: right after the
 * acknowledgement this is Discord's own race (10015); later, the reply is gone. `blocked`: AutoMod or Discord's link filter.
 * `followups_spent`: an application that only the person installed may send five. `silenced`: the bot may not send here, but can still edit its
 * messages. `unauthorized`: the bot's token is missing or refused, so nothing was done.
 */
export type SendFailure =
  | "unknown_outcome"
  | "limited"
  | "token_expired"
  | "message_gone"
  | "channel_gone"
  | "silenced"
  | "webhook_unknown"
  | "blocked"
  | "followups_spent"
  | "unauthorized"
  | "refused";

const BY_CODE: Record<number, SendFailure> = {
  10003: "channel_gone",
  10008: "message_gone",
  10015: "webhook_unknown",
  40094: "followups_spent",
  50001: "channel_gone",
  50013: "silenced",
  // The person does not accept direct messages from the bot, or no longer shares a server with it.
  50007: "channel_gone",
  50278: "channel_gone",
  50027: "token_expired",
  // An archived thread, in which nothing can be edited: somebody closed it.
  50083: "message_gone",
  // A locked thread: only people who manage threads may speak there.
  160005: "silenced",
  200000: "blocked",
  240000: "blocked",
};

const MISSING_PERMISSIONS = 50013;

/** Names the failure of a request. A message with files may be refused only because the bot may not attach any here. */
export function decideSendFailure(result: RestFailure, hasFiles = false): SendFailure {
  if (result.kind === "unreachable" || result.status >= 500) return "unknown_outcome";
  if (result.status === 429) return "limited";
  if (hasFiles && result.code === MISSING_PERMISSIONS) return "refused";
  return isTokenRefused(result) ? "unauthorized" : (BY_CODE[result.code] ?? "refused");
}

/** Whether the same request may succeed a moment later. */
export const mayPass = (failure: SendFailure): boolean => failure === "unknown_outcome" || failure === "limited";

/** Returns the details for the log: Discord's own words, which name the field that it refused. */
export const failureDetail = (result: RestFailure): Record<string, unknown> =>
  result.kind === "refused" ? { status: result.status, code: result.code, text: result.text } : {};
