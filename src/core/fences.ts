// Fenced code in Markdown: which fence is open at a place, how it is closed there and reopened behind a cut. Any length, both
// kinds, with the whole info string, also inside a quote or a list.

/** An open fence: its line as it was written, without the line's end. */
export interface Fence {
  line: string;
  marker: string;
  /** What stands before the marker: the indentation of a list, the sign of a quote. */
  lead: string;
}

const FENCE_LINE = /^([ \t>]*)(`{3,}|~{3,})([^\n]*)$/;

/** The fence that is open behind `text`, given the one that was open before it. */
export function fenceAfter(text: string, before: Fence | null): Fence | null {
  let open = before;
  for (const line of text.split("\n")) open = afterLine(line, open);
  return open;
}

function afterLine(line: string, open: Fence | null): Fence | null {
  const [, lead = "", marker, rest = ""] = line.match(FENCE_LINE) ?? [];
  if (!marker) return open;
  if (!open) return marker[0] === "`" && rest.includes("`") ? null : { line, marker, lead };
  const closes = marker[0] === open.marker[0] && marker.length >= open.marker.length && rest.trim() === "";
  return closes ? null : open;
}

/** Is there a line that opens or closes a fence? */
export const hasFence = (text: string): boolean => text.split("\n").some((line) => FENCE_LINE.test(line));

/** What closes a fence behind `text`, on a line of its own. */
export function closingOf({ lead, marker }: Fence, text: string): string {
  return `${text.endsWith("\n") ? "" : "\n"}${lead}${marker}`;
}

/** What opens a fence again at the start of the next message. */
export const reopeningOf = ({ line }: Fence): string => `${line}\n`;

/** Does this line begin like a fence's? Such a line is never cut. */
export const isFenceStart = (line: string): boolean => /^[ \t>]*(`{1,}|~{1,})$/.test(line) || FENCE_LINE.test(line);
