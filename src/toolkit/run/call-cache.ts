// Decides which answers of read-only tools are kept and for how long, and builds the key that identifies equal calls.
import { isLongerThan } from "../../core/transcript/utf8.ts";
import { mayCache } from "../define/repetition.ts";
import type { ToolResult } from "../tool-result.ts";
import type { CacheScope, CheckedCall, PlatformPorts, ResultCache } from "./runtime-ports.ts";

/** A larger answer is cheaper to request again than to keep. */
const MAX_ENTRY_BYTES = 64 * 1024;

/** Builds the key of a call from its name, version, cleaned arguments and everything else that the answer depends on. */
export function buildCacheKey({ tool, args, context }: CheckedCall, ports: PlatformPorts): Promise<string> {
  const vary = (tool.cache?.vary ?? []).map((field) => [field, context[field]]);
  return ports.sha256(JSON.stringify([tool.name, args, tool.version ?? "", vary]));
}

/** Returns the scope that keeps the call's answer, or null. */
export function decideCacheScope({ tool, context }: CheckedCall): CacheScope | null {
  if (!tool.cache || !mayCache(tool)) return null;
  const { scope } = tool.cache;
  return scope === "turn" ? { kind: scope, turnId: context.turnId } : { kind: scope };
}

/** Returns a cached answer, or null. An answer counts as expired at exactly `expiresAt`. */
export function cachedResult(cache: ResultCache, scope: CacheScope, key: string, now: number): ToolResult | null {
  const entry = cache.get(scope, key);
  if (!entry || (entry.expiresAt !== null && entry.expiresAt <= now)) return null;
  return JSON.parse(entry.json) as ToolResult;
}

/** Keeps a success of reasonable size. One with files is not kept, because their bytes are not in its JSON. */
export function keepResult(
  cache: ResultCache,
  scope: CacheScope,
  key: string,
  { tool }: CheckedCall,
  result: ToolResult,
  now: number,
): void {
  if (!result.ok || result.files) return;
  const json = JSON.stringify(result);
  if (isLongerThan(json, MAX_ENTRY_BYTES)) return;
  const ttlSeconds = tool.cache?.ttlSeconds;
  cache.put(scope, key, { json, expiresAt: ttlSeconds === undefined ? null : now + ttlSeconds * 1000 });
}
