// Cached answers of read-only tools in an object's memory: those of one turn, and those of one session. The storage of the third scope is
// elsewhere.
import type { CacheEntry, ResultCache } from "./runtime-ports.ts";

/** The most entries of each scope in the object's memory. The least recently used one is dropped first. */
const MEMORY_ENTRIES = 200;

/** The storage of the `persistent` scope. It may return an expired entry. */
export interface PersistentCache {
  get(key: string): CacheEntry | undefined;
  set(key: string, entry: CacheEntry): void;
  /** Deletes what has expired. */
  sweep?(): void;
}

/** Creates a cache for one object: it remembers one turn and one session, and asks `persistent` for the rest. */
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

/** Returns an entry and moves it to the end: a map keeps insertion order, so the oldest entry is at the beginning. */
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
