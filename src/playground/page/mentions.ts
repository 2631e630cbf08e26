// Mentions in the message box: what is being typed, who fits, and the text as Discord sends it. Pure; builds no DOM.

/** Someone who can be mentioned. */
export type Named = { id: string; name: string };

/** A mention that is being typed: where its @ is, and what follows. */
export type Typed = { start: number; wanted: string };

const UNFINISHED = /(?:^|[\s(])@([\p{L}\p{N}_.-]*)$/u;
/** Discord reads no mention in code. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;
const MOST = 8;

/** The mention that ends at the caret; null if there is none. */
export function mentionAt(text: string, caret: number): Typed | null {
  const [, wanted] = UNFINISHED.exec(text.slice(0, caret)) ?? [];
  return wanted === undefined ? null : { start: caret - wanted.length - 1, wanted };
}

/** The people whose name begins with what was typed, in their order, and then those whose name contains it. */
export function whoFits<One extends Named>(wanted: string, known: readonly One[]): One[] {
  const lower = wanted.toLowerCase();
  const at = ({ name }: One) => name.toLowerCase().indexOf(lower);
  return [...known.filter((one) => at(one) === 0), ...known.filter((one) => at(one) > 0)].slice(0, MOST);
}

/** True if the name is there already, and could be no other's beginning. */
export const isFinished = (wanted: string, fitting: readonly Named[]): boolean =>
  fitting.length === 1 && fitting[0]?.name.toLowerCase() === wanted.toLowerCase();

/** The text with the mention finished, and where the caret is then. */
export function finishMention(text: string, { start, wanted }: Typed, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + wanted.length).replace(/^ /, ""), caret: before.length };
}

/** The text as Discord sends it: every @name of somebody known becomes a mention, except in code. */
export function toWire(text: string, known: readonly Named[]): string {
  // A longer name comes first: @Ann must not take the beginning of @Anna.
  const names = [...known].sort((one, other) => other.name.length - one.name.length);
  if (names.length === 0) return text;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_<])@(${names.map(({ name }) => asPattern(name)).join("|")})(?![\\p{L}\\p{N}_])`,
    "giu",
  );
  const idOf = (name: string) => names.find((one) => one.name.toLowerCase() === name.toLowerCase())?.id;
  return outsideCode(text, (piece) => piece.replace(pattern, (_, name: string) => `<@${idOf(name)}>`));
}

/** The text as a person edits it: every mention of somebody known becomes @name. */
export const fromWire = (text: string, known: readonly Named[]): string =>
  text.replace(/<@!?(\d{1,20})>/g, (whole, id: string) => {
    const name = known.find((one) => one.id === id)?.name;
    return name === undefined ? whole : `@${name}`;
  });

/** The text as a person reads it where nothing can be drawn: every mention by its name. `known`: the people and the channels. */
export const nameMentions = (text: string, known: readonly Named[]): string =>
  text.replace(
    /<([@#])[!&]?(\d{1,20})>/g,
    (_, sigil: string, id: string) => `${sigil}${known.find((one) => one.id === id)?.name ?? "unknown"}`,
  );

/** Changes what is not code, in which Discord reads neither mentions nor times. */
export const outsideCode = (text: string, change: (piece: string) => string): string =>
  text
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : change(piece)))
    .join("");

/** True if the text as Discord sends it mentions this id. */
export const mentions = (wire: string, id: string): boolean => new RegExp(`<@!?${id}>`).test(wire);

const asPattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
