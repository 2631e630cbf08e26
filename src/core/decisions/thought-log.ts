// The thought log: a turn's reasoning, the tool events that the channel doesn't see, and its failure, for the people who
// run a server. Data only: copy/thought-log.ts makes the pages.

import type { Ending } from "../state/ending.ts";

/** A tool event that was not shown in the channel. `arguments` is JSON text without secrets. */
export type ToolThought =
  | { kind: "tool_triggered"; tool: string; phrase: string; source: string }
  | { kind: "tool_failed"; tool: string; reason: string; arguments: string };

/** What one turn adds to the thought log. */
export interface Thoughts {
  /** Where to find the answer: a link to its first message, or the channel. */
  source: string;
  reasoning: string;
  tools: readonly ToolThought[];
  ending: Ending;
}

/** Discord's limit for an embed's description. */
export const PAGE_CODE_POINTS = 4096;
/** The most pages from one turn. More would make the channel unreadable. */
export const MAX_PAGES = 10;
