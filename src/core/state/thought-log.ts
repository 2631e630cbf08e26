// The thought log: what a turn's model thought, what happened to its tools and how it failed, for the people who look after a
// server. Pure: makes the pages; who may read them, and where, is decided where they are posted.

import { endingNotice, say } from "../copy/outcome.ts";
import { codePoints } from "../markdown/code-points.ts";
import { split } from "../markdown/split.ts";
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
const MAX_ARGUMENT_CHARS = 300;

/** The pages of a turn's thoughts, in order; none when it has nothing to tell. */
export function thoughtPages({ source, reasoning, tools, ending }: Thoughts): string[] {
  const failure = describeFailure(ending);
  const sections = [
    ...(reasoning.trim() === "" ? [] : [`**Reasoning**\n${reasoning.trim()}`]),
    ...(tools.length === 0 ? [] : [`**Tools**\n${tools.map(toolLine).join("\n")}`]),
    ...(failure === null ? [] : [`**Ended**\n${failure}`]),
  ];
  if (sections.length === 0) return [];
  const pages = split([source, ...sections].join("\n\n"), PAGE_CODE_POINTS).map(({ content }) => content);
  if (pages.length <= MAX_PAGES) return pages;
  const left = pages.slice(MAX_PAGES).reduce((sum, page) => sum + codePoints(page), 0);
  const last = shortened(pages[MAX_PAGES - 1] ?? "", say.thoughtsCut(left));
  return [...pages.slice(0, MAX_PAGES - 1), last];
}

/** The failure in the words that the channel reads, whether it was told or not; null for any other ending. */
function describeFailure(ending: Ending): string | null {
  const { quiet: _quiet, ...told } = ending;
  const notice = endingNotice(told as Ending);
  return notice?.includes("⚠️") ? notice.replace(/^-# (⚠️ )?/gm, "") : null;
}

function toolLine(thought: ToolThought): string {
  if (thought.kind === "tool_triggered")
    return `- ${code(thought.tool)} was offered for ${code(thought.phrase)} (${thought.source}) and used.`;
  const given = thought.arguments;
  const shown = given.length > MAX_ARGUMENT_CHARS ? `${given.slice(0, MAX_ARGUMENT_CHARS)}…` : given;
  return `- ${code(thought.tool)} failed: ${thought.reason} Its arguments: ${code(shown)}`;
}

/** A model's words among ours: whatever they are, they stay inside their frame. */
const code = (text: string) => `\`${text.replaceAll("`", "'").replaceAll("\n", " ")}\``;

const shortened = (page: string, note: string) =>
  `${split(page, PAGE_CODE_POINTS - codePoints(note) - 1)[0]?.content ?? ""}\n${note}`;
