// The thought log: a turn's reasoning, the tool events that the channel is not shown, and its failure, for the people who
// run a server. Pure: makes the pages; where they are posted, and who may read them, is decided elsewhere.

import { endingNotice, say } from "../copy/outcome.ts";
import { codePoints } from "../markdown/code-points.ts";
import { split } from "../markdown/split.ts";
import type { Ending } from "./ending.ts";

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

/** Discord's limit of an embed's description. */
export const PAGE_CODE_POINTS = 4096;
/** More pages from one turn would make the channel unreadable. */
export const MAX_PAGES = 10;
const MAX_ARGUMENT_CHARS = 300;

/** The pages of a turn's thoughts, in order; empty when there is nothing to show. */
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

/** The failure as the channel reads it, whether it was shown there or not; null for any other ending. */
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

/** Keeps text of the model inside its code marks, whatever it contains. */
const code = (text: string) => `\`${text.replaceAll("`", "'").replaceAll("\n", " ")}\``;

const shortened = (page: string, note: string) =>
  `${split(page, PAGE_CODE_POINTS - codePoints(note) - 1)[0]?.content ?? ""}\n${note}`;
