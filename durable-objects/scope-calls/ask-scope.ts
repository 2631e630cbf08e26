// Asks a scope, within a time limit: it is another object, which may be slow, down or overloaded.
import { scopeName } from "../../src/core/access/scope-copy.ts";
import { describeError } from "../../src/core/describe-error.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/**
 * How long a scope has for its answer. It takes milliseconds, unless it renews a remote server's token and has to wait for that server.
 */
export const SCOPE_LIMIT_MS = 10_000;

/** Returns the server whose scope counts a turn; null if the deployment's does (direct messages, and visits, where only a person added the bot). */
export const countedIn = ({ guildId, botIsHere }: Pick<TurnRequest, "guildId" | "botIsHere">): string | null =>
  botIsHere === false ? null : guildId;

/**
 * Returns the answer of a server's scope, or of the deployment's if `guildId` is null. Null when there was no answer in time, which is logged, or
 * when the signal fired. Never rejects.
 */
export async function askScope<Answer>(
  { findScope, timers, log }: Pick<ChannelPorts, "findScope" | "timers" | "log">,
  guildId: string | null,
  ask: (scope: ScopePort) => Promise<Answer>,
  signal: AbortSignal | null = null,
  limitMs = SCOPE_LIMIT_MS,
): Promise<Answer | null> {
  try {
    return await withinLimit(timers, limitMs, signal, () => ask(findScope(scopeName(guildId))));
  } catch (error) {
    if (!signal?.aborted)
      log.error("a scope can't be reached", { scope: scopeName(guildId), error: describeError(error) });
    return null;
  }
}
