// What a refused or lost request means for a reply. Discord's `code` decides before the HTTP status, because one status has many
// meanings.
import type { RestResult } from "./rest.ts";

type Failure = Exclude<RestResult, { ok: true }>;

/**
 * `unknown_outcome`: no answer of Discord's own came; a create may have taken effect. `webhook_unknown`: right after the
 * acknowledgement this is Discord's own race (10015); later, the reply is gone. `blocked`: AutoMod or Discord's link filter.
 * `followups_spent`: an application that only the person installed may send five.
 */
export type SendFailure =
  | "unknown_outcome"
  | "limited"
  | "token_expired"
  | "message_gone"
  | "channel_gone"
  | "webhook_unknown"
  | "blocked"
  | "followups_spent"
  | "refused";

const BY_CODE: Record<number, SendFailure> = {
  10003: "channel_gone",
  10008: "message_gone",
  10015: "webhook_unknown",
  40094: "followups_spent",
  50001: "channel_gone",
  50013: "channel_gone",
  50027: "token_expired",
  // A locked thread: only who manages threads may speak there.
  160005: "channel_gone",
  200000: "blocked",
  240000: "blocked",
};

const MISSING_PERMISSIONS = 50013;

/** Names the failure of a request. A message that `hasFiles` may be refused for them alone, where the bot may not attach any. */
export function decideSendFailure(result: Failure, hasFiles = false): SendFailure {
  if (result.kind === "unreachable" || hasNoVerdict(result)) return "unknown_outcome";
  if (result.status === 429) return "limited";
  if (hasFiles && result.code === MISSING_PERMISSIONS) return "refused";
  return BY_CODE[result.code] ?? "refused";
}

/** A proxy's page with one of these is as good as Discord's word: it always refuses so large a request, or asks us to wait. */
const PROXY_WORDS = [413, 429];

/** Nothing of Discord's own came, or its failure: what it did is unknown, and the same request may work later. */
export const hasNoVerdict = (result: Failure): boolean =>
  result.kind === "unreachable" ||
  result.status >= 500 ||
  (result.foreign === true && !PROXY_WORDS.includes(result.status));

/** The status of a refusal and the wait that it asks for; of a proxy's page no status, since it says nothing of token or channel. */
export const statusAndWait = ({ status, limit, foreign }: Exclude<Failure, { kind: "unreachable" }>) => ({
  status: foreign ? null : status,
  retryAfterMs: limit?.retryAfterMs ?? null,
});

/** The detail for the log: Discord's own words, which name the field that it refused. */
export const failureDetail = (result: Failure): Record<string, unknown> =>
  result.kind === "refused" ? { status: result.status, code: result.code, text: result.text } : {};
