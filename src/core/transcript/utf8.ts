// Measures and cuts text by its size in UTF-8, in which it is sent and stored, and removes from JSON what UTF-8 can't represent.

/** Returns the bytes of a text. A lone surrogate is written as the replacement character, which has three. */
export const byteLength = (text: string): number => measure(text, Number.POSITIVE_INFINITY).bytes;

/** Whether a text has more bytes than this. Most texts are short enough to know without counting. */
export const isLongerThan = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);

/** Returns the longest beginning of a text that has at most this many bytes, without splitting a character. */
export const cutToBytes = (text: string, bytes: number): string =>
  isLongerThan(text, bytes) ? text.slice(0, measure(text, bytes).units) : text;

/** Returns the UTF-16 units and the bytes of the longest beginning that has at most `most` bytes. */
function measure(text: string, most: number): { units: number; bytes: number } {
  let bytes = 0;
  for (let unit = 0; unit < text.length; ) {
    const point = text.codePointAt(unit) ?? 0;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes + size > most) return { units: unit, bytes };
    bytes += size;
    unit += size === 4 ? 2 : 1;
  }
  return { units: text.length, bytes };
}

/** A backslash, a surrogate pair, or a lone surrogate, as JSON escapes them. */
const ESCAPES = /\\(?:\\|ud[89ab]..\\ud[c-f]..|ud[89a-f]..)/gi;
const UNIT_CHARS = 6;

/**
 * Replaces escapes of lone surrogates in JSON text: a model's last piece or a cut may leave one, and providers refuse a whole request over
 * it.
 */
export const withoutHalves = (json: string): string =>
  /\\ud/i.test(json) ? json.replace(ESCAPES, (all) => (all.length === UNIT_CHARS ? "\ufffd" : all)) : json;
