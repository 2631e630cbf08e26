// Mentions in the message box: what is being typed, who matches, and the text as Discord sends it. Pure; builds no DOM.

/** Someone who can be mentioned. */
export type Named = { id: string; name: string };

/** A mention that is being typed: the index of its @, and the text after it. */
export type Typed = { start: number; wanted: string };

const UNFINISHED = /(?:^|[\s(])@([\p{L}\p{N}_.-]*)$/u;
/** Code, in which Discord reads no mentions. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;
const MOST = 8;

/** Finds the mention that ends at the caret; null if there is none. */
export function mentionAt(text: string, caret: number): Typed | null {
  const [, wanted] = UNFINISHED.exec(text.slice(0, caret)) ?? [];
  return wanted === undefined ? null : { start: caret - wanted.length - 1, wanted };
}

/** Lists the people whose name begins with the typed text, in their order, and then those whose name contains it. */
export function whoFits<One extends Named>(wanted: string, known: readonly One[]): One[] {
  const lower = wanted.toLowerCase();
  const at = ({ name }: One) => name.toLowerCase().indexOf(lower);
  return [...known.filter((one) => at(one) === 0), ...known.filter((one) => at(one) > 0)].slice(0, MOST);
}

/** Whether a name is complete and not the beginning of another one. */
export const isFinished = (wanted: string, fitting: readonly Named[]): boolean =>
  fitting.length === 1 && fitting[0]?.name.toLowerCase() === wanted.toLowerCase();

/** Completes the mention in the text, and returns the new position of the caret. */
export function finishMention(text: string, { start, wanted }: Typed, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + wanted.length).replace(/^ /, ""), caret: before.length };
}

/** Converts the text to what Discord sends: every @name of a known person becomes a mention, except in code. */
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

/** Converts the text to what a person edits: every mention of a known person becomes @name. */
export const fromWire = (text: string, known: readonly Named[]): string =>
  text.replace(/<@!?(\d{1,20})>/g, (whole, id: string) => {
    const name = known.find((one) => one.id === id)?.name;
    return name === undefined ? whole : `@${name}`;
  });

/** Replaces every mention with its name, for places that show plain text. `known`: the people and the channels. */
export const nameMentions = (text: string, known: readonly Named[]): string =>
  text.replace(
    /<([@#])[!&]?(\d{1,20})>/g,
    (_, sigil: string, id: string) => `${sigil}${known.find((one) => one.id === id)?.name ?? "unknown"}`,
  );

/** Changes only the text outside code, because Discord reads neither mentions nor times in code. */
export const outsideCode = (text: string, change: (piece: string) => string): string =>
  text
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : change(piece)))
    .join("");

/** Whether a text in Discord's form mentions this id. */
export const mentions = (wire: string, id: string): boolean => new RegExp(`<@!?${id}>`).test(wire);

const asPattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
