// The thought log: what a turn's model thought, what happened to its tools and how it failed, for the people who look after a
// server. Data only: copy/thought-log.ts makes the pages; who may read them, and where, is decided where they are posted.

import type { Ending } from "./ending.ts";

/** What happened to a tool that the channel was not told of. `arguments` is JSON text without secrets. */
export type ToolThought =
  | { kind: "tool_triggered"; tool: string; phrase: string; source: string }
  | { kind: "tool_failed"; tool: string; reason: string; arguments: string };

/** What one turn has to tell. */
export interface Thoughts {
  /** Where to find the answer: a link to its first message, or the channel. */
  source: string;
  reasoning: string;
  tools: readonly ToolThought[];
  ending: Ending;
}

/** Discord's limit of an embed's description. */
export const PAGE_CODE_POINTS = 4096;
/** A turn that thinks at more length than this fills a channel that nobody reads any more. */
export const MAX_PAGES = 10;
