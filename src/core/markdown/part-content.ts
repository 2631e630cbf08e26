// Renders what a message shows of its piece of the text: the piece itself, its tables as code blocks, and the fences that
// the cuts before and after it need.
import { codePoints } from "./code-points.ts";
import { closingFence, type Fence, fenceAfterLine, fenceWithin, isClosingLike, reopeningFence } from "./fences.ts";
import { isSpoilerOpen } from "./spoiler.ts";
import { continued, isShown, renderTable, type Table, tableFrom, withRow } from "./tables.ts";

/** The state of the Markdown at a position in the text. */
export interface Open {
  fence: Fence | null;
  table: Table | null;
  /** If the text was cut within a line: what the rest of the line needs in front to stay in its quote or list. */
  linePrefix: string;
  /** In Discord, everything that follows in the message is a quote. */
  quotesAll: boolean;
  /** A spoiler is open. Discord hides it only if both marks are in one message. */
  hides: boolean;
}

/** The state in which nothing is open. */
export const NOTHING_OPEN: Open = { fence: null, table: null, linePrefix: "", quotesAll: false, hides: false };

/** The largest share of a message for markup that reopens at its start or closes at its end: the words come first. */
const MAX_MARKUP_SHARE = 0.25;
/** A table whose header alone needs a larger share of a message stays as written. */
const MAX_HEADER_SHARE = 0.5;

/** The mark that begins and ends a spoiler. */
export const SPOILER = "||";
/** Messages that have fewer code points for markup are too short for the marks of a spoiler. */
const LEAST_FOR_SPOILERS = 12;
/** Markup that works only at the beginning of a line. */
const BLOCK = /^[ \t]*[>#*+\d|~`-]/;
const QUOTE_ALL = ">>> ";
const QUOTES_ALL = /^ *>>> /;
const QUOTE = /^[ \t]*(?:>[ \t]?)+/;
const ITEM = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/;

/** Returns the most code points of one message's opening or closing markup. */
const mostMarkup = (limit: number): number => Math.floor(limit * MAX_MARKUP_SHARE);

/** Returns the table that two lines begin, in messages of `limit` code points. */
export const tableIn = (header: string, delimiter: string, limit: number): Table | null =>
  tableFrom(header, delimiter, limit * MAX_HEADER_SHARE);

/** Returns the fence that is open after a line, if messages of `limit` code points have room to close it. */
export function fenceAfter(line: string, open: Fence | null, limit: number): Fence | null {
  const fence = fenceAfterLine(line, open);
  return fence && closingPoints(fence) > mostMarkup(limit) ? null : fence;
}

/** Returns the code points to reserve after code: for what closes it at a cut, and for the line that may close it in the text. */
export const codeReserve = (fence: Fence, limit: number): number =>
  Math.min(mostMarkup(limit), 2 * closingPoints(fence));

/** Whether messages of this length have room for the marks of a spoiler. */
export const mayCarrySpoilers = (limit: number): boolean => mostMarkup(limit) >= LEAST_FOR_SPOILERS;

/** Whether a spoiler continues in the next message after a line, or after the beginning of one. `fence`: the one open before it. */
export const hidesAfter = (line: string, { fence, hides }: Pick<Open, "fence" | "hides">, limit: number): boolean =>
  fence || !mayCarrySpoilers(limit) ? hides : isSpoilerOpen(line, hides);

/** Returns the code points to reserve for closing a spoiler. */
export const spoilerReserve = (hides: boolean): number => (hides ? SPOILER.length + 1 : 0);

/** Returns the code points to reserve after a line, or after part of one, for what would close its fence. */
export function measureReserve(line: string, open: Fence | null, limit: number): number {
  if (open && !isClosingLike(line)) return codeReserve(open, limit);
  const fence = open ?? fenceWithin(line);
  return fence ? Math.min(mostMarkup(limit), closingPoints(fence)) : 0;
}

const closingPoints = (fence: Fence): number => codePoints(closingFence(fence, ""));

/** How a message begins: the state it inherits from the previous message. */
export interface Beginning extends Open {
  /** What that state puts in front of its piece. */
  head: string;
  /** The most code points of a row with its table's header, so that both marks of a spoiler or a quote's mark fit as well. */
  rowLimit: number;
}

/** Decides how a message begins. */
export function beginning(open: Open, limit: number): Beginning {
  const { fence, table, linePrefix, quotesAll, hides } = open;
  const most = mostMarkup(limit);
  const sign = (quotesAll ? QUOTE_ALL : "") + (hides ? `${SPOILER}\n` : "");
  const head = sign + (fence ? reopeningFence(fence, most - codePoints(sign + linePrefix)) : "") + linePrefix;
  const continues = table && continued(table);
  if (codePoints(head) > most) return { ...NOTHING_OPEN, table: continues, quotesAll, head: "", rowLimit: limit };
  return { ...open, table: continues, head, rowLimit: limit - codePoints(sign) - spoilerReserve(hides) };
}

/** Renders the message for a piece that begins in the state `before`; `open` is the state at its end. `isCut`: more text follows. */
export function renderPart(
  piece: string,
  before: Open,
  limit: number,
  isCut: boolean,
): { content: string; open: Open } {
  const lines = piece.split("\n");
  const shown: string[] = [];
  const start = beginning(before, limit);
  const { linePrefix } = start;
  const hasOwnSign = start.head === QUOTE_ALL && QUOTES_ALL.test(piece);
  let { fence, table, quotesAll, hides } = start;
  let above: string | null = null;
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    if (isLast && line === "") break;
    const grown: Table | null = table && withRow(table, line, start.rowLimit);
    if (table && !grown) shown.push(...renderBlock(table));
    const begun: Table | null = above !== null && !isLast ? tableIn(above, line, limit) : null;
    if (begun) shown.pop();
    table = grown ?? begun;
    if (!table) {
      quotesAll ||= !fence && (index > 0 || linePrefix === "") && QUOTES_ALL.test(line);
      hides = hidesAfter(line, { fence, hides }, limit);
      fence = fenceAfter(index === 0 ? linePrefix + line : line, fence, limit);
      shown.push(isLast ? line : `${line}\n`);
    }
    above = table || fence || (index === 0 && linePrefix !== "") ? null : line;
  }
  if (table) shown.push(...renderBlock(table));
  const isPlain = !table && !start.fence && !BLOCK.test(linePrefix + piece);
  const head = hasOwnSign ? "" : isPlain ? start.head.replace(`${SPOILER}\n`, SPOILER) : start.head;
  const body = head + shown.join("");
  const prefix = piece.endsWith("\n") ? "" : linePrefixAfter(lines, linePrefix, fence);
  const content = fence ? body + closingFence(fence, body) : body;
  return {
    content: hides && isCut ? hidden(content) : content,
    open: { fence, table, linePrefix: prefix, quotesAll, hides },
  };
}

/** Closes a spoiler. The mark comes right after the words, in case they end with a list, but what closes code needs its own line. */
function hidden(content: string): string {
  const words = content.trimEnd();
  return words + (/[`~]$/.test(words) ? `\n${SPOILER}` : SPOILER) + content.slice(words.length);
}

const renderBlock = (table: Table): string[] => (isShown(table) ? [`${renderTable(table)}\n`] : []);

/** Returns what keeps the rest of the last line in its quote or list. Code gets no extra spaces. */
function linePrefixAfter(lines: string[], before: string, fence: Fence | null): string {
  if (lines.length === 1 && before !== "") return before;
  const line = (lines.at(-1) ?? "").replace(QUOTES_ALL, "");
  const quote = line.match(QUOTE)?.[0] ?? "";
  if (fence) return fence.linePrefix.includes(">") ? quote : "";
  const [, indent = "", item = ""] = line.slice(quote.length).match(ITEM) ?? [];
  return quote + indent + " ".repeat(item.length);
}
