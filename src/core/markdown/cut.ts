// Where a message that can't take all of a text is cut. Each step below may depend on the first place that does not fit, never
// on what follows it: so a cut stays where it is while the text behind it grows.
import { codePoints, unitsAtPoints } from "./code-points.ts";
import { type Fence, fenceLike } from "./fences.ts";
import { cutInLine } from "./line-cut.ts";
import { beginning, codeReserve, fenceBehind, measureReserve, type Open, tableIn } from "./part-content.ts";
import { isDelimiterLike, isHeaderLike, isShown, pointsWithRow, type Table, tablePoints, withRow } from "./tables.ts";

/** A cut may not leave a message shorter than this share of the limit; below it a worse boundary is better. */
const SHORTEST_SHARE = 0.5;
/** UTF-16 units of text that may go into one message, per code point of its limit: a padded table shrinks when it is shown. */
const REACH = 4;

/** How good it is to cut behind a line; a title belongs to what follows it. */
const RANK = { title: 0, row: 1, code: 2, codeParagraph: 3, line: 4, block: 5 };

const TITLE = /^[ \t>]*#{1,6} /;
const BLANK = /^[\s>]*$/;

/** A place behind a line, and the code points that a message which ends there has before its closing. */
interface LineEnd {
  at: number;
  points: number;
  rank: number;
}

/** A message behind some of its lines. */
interface Progress {
  fence: Fence | null;
  table: Table | null;
  /** Code points of all but the table. */
  points: number;
  /** The line before, if the next one may make it a table's header, and the points before it. */
  above: { line: string; points: number } | null;
  isUnderTitle: boolean;
  ends: LineEnd[];
}

/** The most of a text that `cutOf` looks at, in UTF-16 units. */
export const cutReach = (limit: number): number => REACH * limit;

/** Length of the piece of `text` that one message takes; null when the message takes all of it. */
export function findCut(text: string, before: Open, limit: number): number | null {
  const { head, fence, table, linePrefix } = beginning(before, limit);
  let progress: Progress = {
    fence,
    table,
    points: codePoints(head),
    above: null,
    isUnderTitle: false,
    ends: [],
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    const end = at + line.length + 1;
    const after: Progress = withLine(progress, at === 0 ? linePrefix : "", line, end, limit);
    const isOver = pointsAlong(progress, line, limit) > limit || at + line.length > cutReach(limit);
    if (isOver || (newline >= 0 && pointsBehind(after, limit) > limit)) return choose(progress, line, at, limit);
    if (newline < 0) return null;
    progress = after;
    at = end;
  }
  return null;
}

const total = ({ points, table }: Progress): number => points + (table ? tablePoints(table) : 0);

/** What the message has behind a whole line, with room for its closing, which needs no line end of its own there. */
const pointsBehind = (progress: Progress, limit: number): number =>
  total(progress) + (progress.fence ? codeReserve(progress.fence, limit) - 1 : 0);

/** The most that the message has, with room for its closing, while the line arrives: what the line is may show only at its end. */
function pointsAlong(progress: Progress, line: string, limit: number): number {
  const { table, fence, points } = progress;
  const asText = total(progress) + codePoints(line) + measureReserve(line, fence, limit);
  // A row that no message can take is text, but only at a message's start: behind others it does not fit in any case.
  const mayBeRow = table !== null && (isShown(table) || withRow(table, line, limit) !== null);
  return mayBeRow ? Math.max(asText, points + (pointsWithRow(table, line) ?? 0)) : asText;
}

/** The message with a whole line more; of a line that was cut, `lead` is what its rest has before it. */
function withLine(progress: Progress, linePrefix: string, line: string, at: number, limit: number): Progress {
  const { table, above, ends } = progress;
  const grown = table && withRow(table, line, limit);
  if (grown) return ended({ ...progress, table: grown }, at, RANK.row);
  const begun = above && tableIn(above.line, line, limit);
  // Nothing is cut between a header and the line that makes it one.
  if (begun)
    return ended(
      { ...progress, points: above.points, table: begun, above: null, ends: ends.slice(0, -1) },
      at,
      RANK.row,
    );
  const points = total(progress) + codePoints(line) + 1;
  const fence = fenceBehind(linePrefix + line, progress.fence, limit);
  const isUnderTitle = !fence && (TITLE.test(line) || (progress.isUnderTitle && BLANK.test(line)));
  const mayBeHeader = !fence && linePrefix === "" && isHeaderLike(line);
  const after = { ...progress, fence, table: null, points, isUnderTitle };
  const rank = isUnderTitle ? RANK.title : rankBehind(line, fence, progress.fence !== null);
  return ended({ ...after, above: mayBeHeader ? { line, points: total(progress) } : null }, at, rank);
}

function rankBehind(line: string, fence: Fence | null, wasInFence: boolean): number {
  if (fence) return BLANK.test(line) ? RANK.codeParagraph : RANK.code;
  return BLANK.test(line) || wasInFence ? RANK.block : RANK.line;
}

const ended = (progress: Progress, at: number, rank: number): Progress => ({
  ...progress,
  ends: [...progress.ends, { at, points: total(progress), rank }],
});

/** The cut, given the first line that does not fit: behind the best of the lines before it, else in the line. */
function choose(progress: Progress, line: string, at: number, limit: number): number {
  const { ends, fence, table, above } = progress;
  const shortest = limit * SHORTEST_SHARE;
  const free = limit - total(progress) - measureReserve("", fence, limit);
  const start = line.slice(0, unitsAtPoints(line, Math.max(0, free) + 1));
  const isHeaderAbove = above !== null && isDelimiterLike(start);
  const allowed = isHeaderAbove && ends.length > 1 ? ends.slice(0, -1) : ends;
  const usable = allowed.filter(({ points }) => points > shortest);
  const best = Math.max(...usable.map(({ rank }) => rank));
  const bestEnd = usable.findLast(({ rank }) => rank === best);
  if (bestEnd) return bestEnd.at;
  const last = allowed.at(-1);
  // A row, a fence's line and the line below a header are torn only where a message has nothing else.
  if (last && (table || isHeaderAbove || fenceLike(start))) return last.at;
  const room = limit - total(progress) - measureReserve(start, fence, limit);
  return at + cutInLine(line, unitsAtPoints(line, room), unitsAtPoints(line, Math.floor(shortest) - total(progress)));
}
