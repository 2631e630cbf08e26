// Cached answers of read-only tools in an object's memory: of one turn, and of one session. The storage of the third scope is elsewhere.
import type { CacheEntry, ResultCache } from "./runtime-ports.ts";

/** Entries in the object's memory. The least recently used one goes first. */
const MEMORY_ENTRIES = 200;

/** The storage behind the `persistent` scope. An expired entry may come back. */
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
