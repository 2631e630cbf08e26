// Cached answers of read-only tools: the key that identifies equal calls, the two memories, and which answers to keep. The
// storage of the third scope is elsewhere.

import { mayCache } from "../define/repetition.ts";
import type { ToolResult } from "../tool-result.ts";
import type { CacheEntry, CacheScope, CheckedCall, PlatformPorts, ResultCache } from "./runtime-ports.ts";

/** Entries in the object's memory. The least recently used one goes first. */
const MEMORY_ENTRIES = 200;
/** A larger answer is cheaper to ask for again than to keep. */
const MAX_ENTRY_BYTES = 64 * 1024;

/** The key of a call: name, version, cleaned arguments and everything else that the answer depends on. */
export function buildCacheKey({ tool, args, context }: CheckedCall, ports: PlatformPorts): Promise<string> {
  const vary = (tool.cache?.vary ?? []).map((field) => [field, context[field]]);
  return ports.sha256(JSON.stringify([tool.name, args, tool.version ?? "", vary]));
}

/** The scope that keeps the call's answer, or null. */
export function decideCacheScope({ tool, context }: CheckedCall): CacheScope | null {
  if (!tool.cache || !mayCache(tool)) return null;
  const { scope } = tool.cache;
  return scope === "turn" ? { kind: scope, turnId: context.turnId } : { kind: scope };
}

/** A cached answer, or null. An answer expires exactly at its end. */
export function cachedResult(cache: ResultCache, scope: CacheScope, key: string, now: number): ToolResult | null {
  const entry = cache.get(scope, key);
  if (!entry || (entry.expiresAt !== null && entry.expiresAt <= now)) return null;
  return JSON.parse(entry.json) as ToolResult;
}

/** Keeps a success of reasonable size; one with files only for this call, because their bytes are not in its JSON. */
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
  if (new TextEncoder().encode(json).length > MAX_ENTRY_BYTES) return;
  const ttlSeconds = tool.cache?.ttlSeconds;
  cache.put(scope, key, { json, expiresAt: ttlSeconds === undefined ? null : now + ttlSeconds * 1000 });
}

/** The storage behind the `persistent` scope. */
export interface PersistentCache {
  get(key: string): CacheEntry | undefined;
  set(key: string, entry: CacheEntry): void;
  /** Deletes what has expired. */
  sweep?(): void;
}

/** Makes a cache for one object: it remembers one turn and one session, and asks `persistent` for the rest. */
export function createResultCache(persistent: PersistentCache | null = null): ResultCache {
  const session = new Map<string, CacheEntry>();
  const turn = new Map<string, CacheEntry>();
  let turnId: string | null = null;
  const ofTurn = (id: string) => {
    if (turnId !== id) turn.clear();
    turnId = id;
    return turn;
  };
  return {
    get(scope, key) {
      if (scope.kind === "persistent") return persistent?.get(key) ?? null;
      return used(scope.kind === "turn" ? ofTurn(scope.turnId) : session, key);
    },
    put(scope, key, entry) {
      if (scope.kind === "persistent") persistent?.set(key, entry);
      else remember(scope.kind === "turn" ? ofTurn(scope.turnId) : session, key, entry);
    },
    sweep: () => persistent?.sweep?.(),
  };
}

/** A map keeps insertion order, so a used entry moves to the end. */
function used(memory: Map<string, CacheEntry>, key: string): CacheEntry | null {
  const entry = memory.get(key);
  if (entry) remember(memory, key, entry);
  return entry ?? null;
}

function remember(memory: Map<string, CacheEntry>, key: string, entry: CacheEntry): void {
  memory.delete(key);
  memory.set(key, entry);
  for (const oldest of memory.keys()) {
    if (memory.size <= MEMORY_ENTRIES) return;
    memory.delete(oldest);
  }
}
