// Finds the parts of a line that a cut would break: inline code, links, addresses, custom emoji, mentions. One that is not
// closed in the text continues after it.

/** A range from `start` up to, but not including, `end`, in UTF-16 units. */
export interface Mark {
  start: number;
  end: number;
}

const LINK = /!?\[[^[\]]*(?:\](?:\((?:[^()\s]|\([^()\s]*(?:\)|$))*(?:\)|$))?|$)/y;
/** `<:name:id>`, `<a:name:id>`, `<@id>`, `<t:time>`, `</command:id>`, `<https://…>` (Discord's message formatting). */
const ANGLES = /<[a-z:@#/!&\d][^\s<>]*(?:>|$)/iy;
const ADDRESS = /https?:\/\/[^\s<>]+/y;
const BEGINNING = /`+|!?\[|<|https?:/g;

/** Returns the marks of a line, in order and without overlap. */
export function inlineMarks(line: string): Mark[] {
  const marks: Mark[] = [];
  let free = 0;
  for (const { 0: sign, index } of line.matchAll(BEGINNING)) {
    if (index < free) continue;
    const end = sign.startsWith("`") ? codeEnd(line, index, sign) : findEnd(line, index, sign);
    if (end === null) continue;
    // A mark that reaches the end of the text may continue, so it has no end yet.
    marks.push({ start: index, end: end < line.length ? end : Number.POSITIVE_INFINITY });
    free = end;
  }
  return marks;
}

function findEnd(line: string, start: number, sign: string): number | null {
  const pattern = sign === "<" ? ANGLES : sign.startsWith("h") ? ADDRESS : LINK;
  pattern.lastIndex = start;
  const found = pattern.exec(line);
  return found ? start + found[0].length : null;
}

/** Returns where code that begins at `start` with these ticks ends: after as many ticks, or at the end of the text if it isn't closed. */
export function codeEnd(line: string, start: number, ticks: string): number {
  for (let at = line.indexOf(ticks, start + ticks.length); at >= 0; at = line.indexOf(ticks, at)) {
    let end = at;
    while (line[end] === "`") end++;
    if (end - at === ticks.length) return end;
    at = end;
  }
  return line.length;
}
