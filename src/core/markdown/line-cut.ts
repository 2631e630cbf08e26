// Decides where to cut a single line that does not fit into a message: after a sentence, else after a word, else between two graphemes.
// Code, links, emoji and spoilers are cut only if there is no other position.
import { inlineMarks } from "./inline-marks.ts";
import { spoilersIn } from "./spoiler.ts";

const SENTENCE_END = /[.!?…]["'”’)\]*_]*\s+|[。！？]["'”’」』）]*/g;
const WORD_END = /\s+/g;

/**
 * Returns the length of the piece that stays, in UTF-16 units: at most `fits`, and more than `earliest` if any position
 * allows it. After `fits`, only the first character matters: whether it belongs to the one before.
 */
export function cutInLine(line: string, fits: number, earliest: number): number {
  if (fits >= line.length) return line.length;
  const graphemes = new Intl.Segmenter().segment(line.slice(0, fits + 2));
  const isBoundary = (cut: number) => graphemes.containing(cut)?.index === cut;
  const window = line.slice(0, fits);
  const marks = [...inlineMarks(window), ...spoilersIn(window)];
  const isUsable = (cut: number) => cut > earliest && isBoundary(cut);
  /** Moves a cut before the marks that it would break. */
  const outside = (cut: number): number =>
    marks.reduce((place, { start, end }) => (start < cut && cut < end ? Math.min(place, start) : place), cut);
  const ends = [SENTENCE_END, WORD_END].map((pattern) => findEnds(pattern, window));
  const hard = lastBoundary(fits, isBoundary);
  const better = ends.map((cuts) => cuts.findLast((cut) => isUsable(cut) && outside(cut) === cut));
  const places = [...better, outside(hard), ...ends.map((cuts) => cuts.findLast(isUsable))];
  return places.find((cut) => cut !== undefined && isUsable(cut)) ?? hard;
}

const findEnds = (pattern: RegExp, text: string): number[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => index + found.length);

/** Returns the last position up to `fits` between two graphemes, or `fits` itself if one grapheme fills it all. */
function lastBoundary(fits: number, isBoundary: (cut: number) => boolean): number {
  for (let cut = fits; cut > 0; cut--) if (isBoundary(cut)) return cut;
  return fits;
}
