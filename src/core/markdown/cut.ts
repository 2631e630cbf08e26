// Decides where to cut a text that does not fit into one message. A decision may depend on the text up to the first position
// that does not fit, but never on what follows, so a cut stays the same while the text after it grows.
import { codePoints, unitsAtPoints } from "./code-points.ts";
import { type Fence, fenceLike } from "./fences.ts";
import { cutInLine } from "./line-cut.ts";
import {
  type Beginning,
  beginning,
  codeReserve,
  fenceAfter,
  hidesAfter,
  mayCarrySpoilers,
  measureReserve,
  type Open,
  SPOILER,
  spoilerReserve,
  tableIn,
} from "./part-content.ts";
import { spoilersIn } from "./spoiler.ts";
import { isDelimiterLike, isHeaderLike, isShown, pointsWithRow, rowStart, tablePoints, withRow } from "./tables.ts";

/** The shortest message that a cut may leave, as a share of the limit; to stay above it, a worse boundary is used. */
const SHORTEST_SHARE = 0.5;
/** How many UTF-16 units of text to read per code point of a message's limit: a padded table shrinks when it is shown. */
const REACH = 4;

/** How good a cut after a line is. A title belongs to what follows it. */
const RANK = { title: 0, row: 1, code: 2, codeParagraph: 3, line: 4, block: 5 };

const TITLE = /^[ \t>]*#{1,6} /;
const BLANK = /^[\s>]*$/;

/**
 * The end of a line, and the code points of a message that ends there, not counting what closes it. `before`: the end of the line before it; a
 * list that is copied for each line would take the square of the number of lines.
 */
interface LineEnd {
  at: number;
  points: number;
  rank: number;
  before: LineEnd | null;
}

/** The state of a message after some of its lines. */
interface Progress extends Omit<Beginning, "head"> {
  /** Code points of everything but the table. */
  points: number;
  /** The previous line, if the next one may make it a table's header, and the points before it. */
  above: { line: string; points: number } | null;
  isUnderTitle: boolean;
  lastEnd: LineEnd | null;
}

/** Returns how many UTF-16 units of a text `findCut` reads at most. */
export const cutReach = (limit: number): number => REACH * limit;

/** Returns the length in UTF-16 units of the piece of `text` for one message; null if the whole text fits. */
export function findCut(text: string, before: Open, limit: number): number | null {
  const { head, ...start } = beginning(before, limit);
  let progress: Progress = {
    ...start,
    points: codePoints(head),
    above: null,
    isUnderTitle: false,
    lastEnd: null,
  };
  for (let at = 0; ; ) {
    const newline = text.indexOf("\n", at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    // Applies even if nothing follows the last line end: the given text may end there only because no more of it was read.
    const isOver = pointsAlong(progress, line, limit) > limit || at + line.length > cutReach(limit);
    if (isOver) return choose(progress, text, line, at, limit);
    if (newline < 0) return null;
    const end = newline + 1;
    const after: Progress = withLine(progress, line, end, limit);
    if (pointsAfter(after, limit) > limit) return choose(progress, text, line, at, limit);
    progress = after;
    at = end;
  }
}

const total = ({ points, table }: Progress): number => points + (table ? tablePoints(table) : 0);

/** Returns the points of the message after a whole line, with room for what closes it, which needs no line end of its own there. */
const pointsAfter = (progress: Progress, limit: number): number =>
  total(progress) + (progress.fence ? codeReserve(progress.fence, limit) - 1 : 0) + spoilerReserve(progress.hides);

/** Returns the most points of the message, with room for what closes it, while a line arrives: only its end may show what it is. */
function pointsAlong(progress: Progress, line: string, limit: number): number {
  const { linePrefix, table, fence, points, hides, rowLimit } = progress;
  const closing = measureReserve(linePrefix + line, fence, limit) + spoilerAlong(line, progress, limit);
  const asText = total(progress) + codePoints(line) + closing;
  // A row that fits no message counts as text, but only at a message's start: after other lines it does not fit anyway.
  const row = rowStart(line);
  const mayBeRow = table !== null && (isShown(table) || withRow(table, row, rowLimit) !== null);
  return mayBeRow ? Math.max(asText, points + (pointsWithRow(table, row) ?? 0) + spoilerReserve(hides)) : asText;
}

/** Returns the room for closing a spoiler after this beginning of a line, whose last character may be the first half of the closing mark. */
function spoilerAlong(line: string, progress: Progress, limit: number): number {
  return Math.max(0, spoilerReserve(hidesAfter(line, progress, limit)) - Number(/(?:^|[^|])\|$/.test(line)));
}

/** Returns the state after one more whole line. */
function withLine(progress: Progress, line: string, at: number, limit: number): Progress {
  const { linePrefix, table, above, lastEnd, rowLimit } = progress;
  const grown = table && withRow(table, line, rowLimit);
  if (grown) return ended({ ...progress, table: grown }, at, RANK.row);
  const begun = above && tableIn(above.line, line, limit);
  // Nothing is cut between a header and the line that makes it one.
  if (begun)
    return ended(
      { ...progress, points: above.points, table: begun, above: null, lastEnd: lastEnd?.before ?? null },
      at,
      RANK.row,
    );
  const points = total(progress) + codePoints(line) + 1;
  const fence = fenceAfter(linePrefix + line, progress.fence, limit);
  const isUnderTitle = !fence && (TITLE.test(line) || (progress.isUnderTitle && BLANK.test(line)));
  const mayBeHeader = !fence && !linePrefix && isHeaderLike(line);
  const hides = hidesAfter(line, progress, limit);
  const after = { ...progress, linePrefix: "", fence, table: null, points, isUnderTitle, hides };
  const rank = isUnderTitle ? RANK.title : rankAfter(line, fence, progress.fence !== null);
  return ended({ ...after, above: mayBeHeader ? { line, points: total(progress) } : null }, at, rank);
}

function rankAfter(line: string, fence: Fence | null, wasInFence: boolean): number {
  if (fence) return BLANK.test(line) ? RANK.codeParagraph : RANK.code;
  return BLANK.test(line) || wasInFence ? RANK.block : RANK.line;
}

const ended = (progress: Progress, at: number, rank: number): Progress => ({
  ...progress,
  lastEnd: { at, points: total(progress), rank, before: progress.lastEnd },
});

/**
 * Chooses the cut, given the first line that does not fit, which begins at `at`: after the best of the lines before it, else within the line.
 * A spoiler over several lines is kept whole if possible.
 */
function choose(progress: Progress, text: string, line: string, at: number, limit: number): number {
  const { linePrefix, fence, table, above, hides } = progress;
  const ends: LineEnd[] = [];
  for (let end = progress.lastEnd; end; end = end.before) ends.push(end);
  ends.reverse();
  const shortest = limit * SHORTEST_SHARE;
  const free = limit - total(progress) - measureReserve("", fence, limit) - spoilerReserve(hides);
  const start = line.slice(0, unitsAtPoints(line, Math.max(0, free) + 1));
  const isHeaderAbove = above !== null && isDelimiterLike(start);
  const allowed = isHeaderAbove && ends.length > 1 ? ends.slice(0, -1) : ends;
  const spoilers = spoilersIn(text.slice(0, at));
  const isWhole = ({ at: cut }: LineEnd) => !spoilers.some(({ start, end }) => start < cut && cut < end);
  const long = allowed.filter(({ points }) => points > shortest);
  const usable = long.some(isWhole) ? long.filter(isWhole) : long;
  const best = usable.reduce((most, { rank }) => Math.max(most, rank), 0);
  const bestEnd = usable.findLast(({ rank }) => rank === best);
  if (bestEnd) return bestEnd.at;
  const last = allowed.at(-1);
  // A row, a fence's line and the line below a header are cut only if the message has nothing else.
  if (last && (table || isHeaderAbove || fenceLike(start))) return last.at;
  const most = limit - total(progress) - measureReserve(linePrefix + start, fence, limit);
  // Only what fits may count, so that a cut stays the same while the line grows.
  const isMarked = !fence && mayCarrySpoilers(limit) && line.slice(0, unitsAtPoints(line, most)).includes(SPOILER);
  const room = most - spoilerReserve(hides || isMarked);
  return at + cutInLine(line, unitsAtPoints(line, room), unitsAtPoints(line, Math.floor(shortest) - total(progress)));
}
