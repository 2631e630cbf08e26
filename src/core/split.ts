// One text into the messages that carry it. Every character is in exactly one piece: the pieces joined are the text. A cut
// depends on the text before it alone, so a part that is full stays as it is while the text behind it grows. A fence that is
// open at a cut is closed there and opened again behind it.
import { closingOf, type Fence, fenceAfter, hasFence, isFenceStart, reopeningOf } from "./fences.ts";
import { MESSAGE_CODE_POINTS } from "./limits.ts";

/** One message: `content` is `piece` with the fences that a cut made necessary. */
export interface Part {
  content: string;
  piece: string;
}

/** A cut may not leave a part shorter than this share of the room; below it a worse boundary is better. */
const SHORTEST_SHARE = 0.5;
/** Neither the reopening nor the closing of a fence may take more than this share of a message: the words come first. */
const MAX_FENCE_SHARE = 0.25;
/** Room that a full part with fences in it keeps for closing one. */
const CLOSING_POINTS = 16;
/** Grapheme clusters are looked for in this many characters around a hard cut. */
const GRAPHEME_LOOKAROUND = 64;

/**
 * The parts of `text`, each at most `limit` code points (what Discord counts), cut at the best boundary of its second half,
 * never inside a grapheme. Empty text has no parts.
 */
export function split(text: string, limit: number = MESSAGE_CODE_POINTS): Part[] {
  const parts: Part[] = [];
  let open: Fence | null = null;
  for (let at = 0; at < text.length; ) {
    const part: Part & { open: Fence | null } = nextPart(text.slice(at), open, limit);
    parts.push({ content: part.content, piece: part.piece });
    at += part.piece.length;
    open = part.open;
  }
  return parts;
}

function nextPart(rest: string, before: Fence | null, limit: number): Part & { open: Fence | null } {
  const most = Math.floor(limit * MAX_FENCE_SHARE);
  const opened = before && codePoints(reopeningOf(before)) <= most ? before : null;
  const head = opened ? reopeningOf(opened) : "";
  const room = limit - codePoints(head);
  const longest = rest.slice(0, unitsOf(rest, room));
  // Where there are fences, room for a closing is kept whether it is needed or not, even if the text would just fit: the cut
  // may not depend on what comes behind it.
  const reserve = opened || hasFence(longest) ? Math.min(CLOSING_POINTS, most) : 0;
  const window = longest.slice(0, unitsOf(longest, Math.max(1, room - reserve)));
  const piece = window.length === rest.length ? rest : rest.slice(0, cutIn(window, rest, opened));
  const { tail, open } = closed(piece, opened, reserve);
  return { content: head + piece + tail, piece, open };
}

/** The fence that is open behind a piece, and what closes it there, if there is room for that. */
function closed(piece: string, before: Fence | null, reserve: number): { tail: string; open: Fence | null } {
  const open = fenceAfter(piece, before);
  if (!open || codePoints(closingOf(open, "")) > reserve) return { tail: "", open: null };
  return { tail: closingOf(open, piece), open };
}

/** Where to cut a full window: behind its last block, paragraph, line, sentence or word, else between two graphemes. */
function cutIn(window: string, rest: string, before: Fence | null): number {
  const earliest = window.length * SHORTEST_SHARE;
  const usable = (cut: number) => cut > earliest && cut <= window.length;
  const lines = lineEnds(window);
  const isOutside = (cut: number) => fenceAfter(window.slice(0, cut), before) === null;
  const isBlank = (cut: number) => window.slice(0, cut).endsWith("\n\n");
  const best =
    lines.findLast((cut) => usable(cut) && isBlank(cut) && isOutside(cut)) ??
    lines.findLast((cut) => usable(cut) && isOutside(cut)) ??
    lines.findLast((cut) => usable(cut) && isBlank(cut)) ??
    lines.findLast(usable);
  if (best !== undefined) return best;
  const lineStart = lines.at(-1) ?? 0;
  if (lineStart > 0 && isFenceStart(window.slice(lineStart))) return lineStart;
  for (const boundary of [". ", " "]) {
    const cut = beforeInlineMarks(window, window.lastIndexOf(boundary) + boundary.length);
    if (usable(cut)) return cut;
  }
  return betweenGraphemes(window, rest);
}

function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at + 1);
  return ends;
}

/** A cut that would fall into inline code, a link or a custom emoji goes before it, when that is possible. */
function beforeInlineMarks(text: string, cut: number): number {
  const line = text.slice(text.lastIndexOf("\n", cut - 1) + 1, cut);
  const start = cut - line.length;
  const ticks = [...line.matchAll(/`+/g)];
  if (ticks.length % 2 === 1) return start + (ticks.at(-1)?.index ?? 0);
  const open = line.match(/(\[[^\]]*|\[[^\]]*\]\([^)]*|<a?:\w*:?\d*)$/);
  return open ? cut - open[0].length : cut;
}

/** The end of the last grapheme that is whole in the window; if one fills it, the end of its last code point. */
function betweenGraphemes(window: string, rest: string): number {
  const end = beforeInlineMarks(window, window.length);
  if (end > window.length * SHORTEST_SHARE && end < window.length) return end;
  const from = Math.max(0, safeStart(rest, window.length - GRAPHEME_LOOKAROUND));
  const around = rest.slice(from, window.length + GRAPHEME_LOOKAROUND);
  let cut = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(around)) {
    if (from + index + segment.length > window.length) break;
    cut = from + index + segment.length;
  }
  return cut > from ? cut : window.length;
}

/** A place that is not inside a surrogate pair, at or before `at`. */
function safeStart(text: string, at: number): number {
  return at > 0 && /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
}

/** Length in UTF-16 units of the first `points` code points. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/** Number of Unicode code points, which is how Discord measures a message. */
export function codePoints(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; count++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
