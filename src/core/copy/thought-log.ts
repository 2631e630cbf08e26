// Writes the thought log: the pages of one turn, in order.

import { MAX_PAGES, PAGE_CODE_POINTS, type Thoughts, type ToolThought } from "../decisions/thought-log.ts";
import { codePoints, cutText } from "../markdown/code-points.ts";
import { split } from "../markdown/split.ts";
import type { Ending } from "../state/ending.ts";
import { endingNotice } from "./endings.ts";

/** The title of each page. */
export const THOUGHT_LOG = "Thought log";

const MAX_ARGUMENT_CHARS = 300;

/** Returns the pages of a turn's thoughts, in order; none if there is nothing to report. */
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
  const last = shortened(pages[MAX_PAGES - 1] ?? "", `… and about ${left} more characters.`);
  return [...pages.slice(0, MAX_PAGES - 1), last];
}

/** Describes a failure in the words that the channel reads, even if it wasn't shown there; null for any other ending. No answer is above it. */
function describeFailure(ending: Ending): string | null {
  const { quiet: _quiet, ...shown } = ending;
  const notice = endingNotice(shown as Ending, false);
  return notice?.includes("⚠️") ? notice.replace(/^-# (⚠️ )?/gm, "") : null;
}

function toolLine(thought: ToolThought): string {
  if (thought.kind === "tool_triggered")
    return `- ${code(thought.tool)} was offered because of ${code(thought.phrase)} (${thought.source}) and was used.`;
  const given = thought.arguments;
  const shown = given.length > MAX_ARGUMENT_CHARS ? `${cutText(given, MAX_ARGUMENT_CHARS)}…` : given;
  return `- ${code(thought.tool)} failed: ${thought.reason} Arguments: ${code(shown)}`;
}

/** Puts a model's words among ours as code, so that they stay inside it whatever they are. */
const code = (text: string) => `\`${text.replaceAll("`", "'").replaceAll("\n", " ")}\``;

const shortened = (page: string, note: string) =>
  `${split(page, PAGE_CODE_POINTS - codePoints(note) - 1)[0]?.content ?? ""}\n${note}`;
