// A tool that answers with `context_restart_…` enriches the conversation instead of giving a result. Its call is removed from the
// conversation, the enrichment is added at the end, and the loop continues as if the tool had not been called.
import type { EnrichmentItem } from "../core/state/enrichment.ts";
import { isRestartType, METADATA_RESTART } from "../toolkit/define/restart-types.ts";
import type { ToolCard } from "../toolkit/define/tool.ts";
import type { ToolResult } from "../toolkit/tool-result.ts";
import type { ContextRestart, Log } from "./ports.ts";

/** Keeps large enrichments until the restart takes them: in memory only, and each can be taken once. */
export interface ContextStash {
  /** Keeps an item for five minutes; the oldest is dropped when sixteen are kept. */
  put(key: string, item: EnrichmentItem): void;
  take(key: string): EnrichmentItem | null;
  /** Keeps the pictures of a call's result, as data URLs, for the rest of the turn. If they are too large together, the oldest are dropped. */
  putPictures(turnId: string, callId: string, urls: readonly string[]): void;
  /** Returns the pictures of a turn's results, by call id. Empty after a death, because bytes are never stored. */
  pictures(turnId: string): ReadonlyMap<string, readonly string[]>;
}

const STASH_LIFE_MS = 5 * 60_000;
const STASH_ENTRIES = 16;
/** The most characters that all pictures together may have: an object has 128 MB for everything. */
const STASH_PICTURE_CHARS = 16 * 1024 * 1024;

/** Creates a stash with this clock. */
export function createContextStash(clock: () => number): ContextStash {
  const kept = new Map<string, { item: EnrichmentItem; until: number }>();
  let shown: { turnId: string; callId: string; urls: readonly string[] }[] = [];
  return {
    putPictures(turnId, callId, urls) {
      // A channel runs one turn at a time, so pictures of an earlier turn are no longer needed.
      shown = [...shown.filter((one) => one.turnId === turnId && one.callId !== callId), { turnId, callId, urls }];
      const size = () => shown.flatMap((one) => one.urls).reduce((sum, url) => sum + url.length, 0);
      while (shown.length > 1 && size() > STASH_PICTURE_CHARS) shown.shift();
    },
    pictures: (turnId) =>
      new Map(shown.filter((one) => one.turnId === turnId).map(({ callId, urls }) => [callId, urls])),
    put(key, item) {
      const oldest = kept.keys().next();
      if (kept.size >= STASH_ENTRIES && !oldest.done) kept.delete(oldest.value);
      kept.set(key, { item, until: clock() + STASH_LIFE_MS });
    },
    take(key) {
      const found = kept.get(key);
      kept.delete(key);
      return found && found.until > clock() ? found.item : null;
    },
  };
}

/** Reads a tool's success as a restart; null when its data are ordinary. */
export function readContextRestart(
  toolName: string,
  tool: ToolCard | null,
  { data, untrusted }: Pick<ToolResult, "data" | "untrusted">,
  stash: ContextStash,
  log: Log,
): ContextRestart | null {
  if (typeof data !== "object" || data === null) return null;
  const { type, enhanced_context_item: inline, pending_context_key: key } = data as Record<string, unknown>;
  if (!isRestartType(type, tool)) return null;
  const item = buildItem(inline, key, stash, log);
  const tainted: EnrichmentItem | null = item && untrusted ? { ...item, taint: "full" } : item;
  return { toolName, item: tainted, metadata: type === METADATA_RESTART };
}

/** Prefers the stashed item to the inline one. If the stashed one is missing, logs that and falls back to the inline one. */
function buildItem(inline: unknown, key: unknown, stash: ContextStash, log: Log): EnrichmentItem | null {
  if (typeof key === "string") {
    const stashed = stash.take(key);
    if (stashed) return stashed;
    log.warn("a stashed context item is gone", { key });
  }
  if (typeof inline !== "object" || inline === null) return null;
  const { text, images } = inline as Record<string, unknown>;
  const urls = Array.isArray(images) ? images.filter((url) => typeof url === "string") : [];
  return { text: typeof text === "string" ? text : "", images: urls };
}
