// Turns names that an answer mentions into Discord's mentions, which are shown as the person's name and ping no one.
import { type Fence, fenceAfterLine } from "./fences.ts";
import { inlineMarks } from "./inline-marks.ts";

/** Someone whom `@name` may mean. */
export interface KnownPerson {
  id: string;
  name: string;
}

/** Turns each `@Name` that means exactly one known person into a mention, except in code, links and addresses. */
export function mentionPeople(markdown: string, people: readonly KnownPerson[]): string {
  const ids = readIds(people);
  if (ids.size === 0 || !markdown.includes("@")) return markdown;
  const names = [...ids.keys()].sort((one, other) => other.length - one.length).map(escapePattern);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_@<./\\\\])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  const mention = (text: string) =>
    text.replace(pattern, (all, name: string) => (ids.get(name) ? `<@${ids.get(name)}>` : all));
  let fence: Fence | null = null;
  const lines = markdown.split("\n").map((line) => {
    const before = fence;
    fence = fenceAfterLine(line, before);
    return before || fence ? line : outsideMarks(line, mention);
  });
  return lines.join("\n");
}

/** Maps each name to the id that it means; null if several people have it. */
function readIds(people: readonly KnownPerson[]): Map<string, string | null> {
  const ids = new Map<string, string | null>();
  for (const { id, name } of people) ids.set(name, (ids.get(name) ?? id) === id && ids.get(name) !== null ? id : null);
  return ids;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function outsideMarks(line: string, change: (text: string) => string): string {
  let at = 0;
  let changed = "";
  for (const { start, end } of inlineMarks(line)) {
    changed += change(line.slice(at, start)) + line.slice(start, Math.min(end, line.length));
    at = Math.min(end, line.length);
  }
  return changed + change(line.slice(at));
}
