// UTF-8, in which texts are sent and stored: their sizes, and JSON without what it can't write.

/** The bytes of a text. Half a surrogate pair is written as the replacement character, which has three. */
export const byteLength = (text: string): number => measure(text, Number.POSITIVE_INFINITY).bytes;

/** Is a text longer than this? Most texts are short enough to know it without counting. */
export const isLongerThan = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);

/** The longest beginning of a text that has at most this many bytes; never half a character. */
export const cutToBytes = (text: string, bytes: number): string =>
  isLongerThan(text, bytes) ? text.slice(0, measure(text, bytes).units) : text;

/** The UTF-16 units and the bytes of the longest beginning that has at most `most` bytes. */
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

/** A backslash, a character of two units, or one unit of those alone, as JSON escapes them. */
const ESCAPES = /\\(?:\\|ud[89ab]..\\ud[c-f]..|ud[89a-f]..)/gi;
const UNIT_CHARS = 6;

/**
 * JSON text without escapes of half a character (an unpaired surrogate): a model's last piece or a cut may leave one, and providers refuse
 * a whole request for it.
 */
export const withoutHalves = (json: string): string =>
  /\\ud/i.test(json) ? json.replace(ESCAPES, (all) => (all.length === UNIT_CHARS ? "\ufffd" : all)) : json;
