// Removes keys and tokens from everything that a tool returns: a result is read by a model, shown to people and stored. Knows the
// patterns of common secrets, and the exact secrets of this installation.

const MARK = "[secret]";
/** A shorter text is not a secret, and removing it would damage ordinary words. */
const MIN_SECRET_CHARS = 8;

/** A pattern of secrets. `sign`: a part of it that is faster to search for, because an expression with a lookbehind is slow. */
interface Shape {
  shape: RegExp;
  sign?: RegExp;
}

/** Each pattern is unmistakable. A Discord bot token has three dotted parts; a webhook's address contains its token. */
const SHAPES: readonly Shape[] = [
  { shape: /\b[A-Za-z\d_-]{23,28}\.[A-Za-z\d_-]{6,7}\.[A-Za-z\d_-]{27,}/g, sign: /\.[A-Za-z\d_-]{6,7}\./ },
  { shape: /(?<=\/webhooks\/\d{15,25}\/)[A-Za-z\d_-]{20,}/g, sign: /\/webhooks\/\d/ },
  { shape: /\bsk-[A-Za-z\d_-]{16,}/g },
  { shape: /\bgh[opsur]_[A-Za-z\d]{20,}/g },
  { shape: /\bAKIA[A-Z\d]{16}\b/g },
  { shape: /\bxox[abposr]-[A-Za-z\d-]{10,}/g },
  { shape: /\beyJ[A-Za-z\d_-]{10,500}\.[A-Za-z\d_-]{10,2000}\.[A-Za-z\d_-]{10,1000}/g },
  { shape: /(?<=\bBearer\s)[A-Za-z\d._~+/-]{16,}=*/gi, sign: /\bBearer\s/i },
];

/** The most characters that a search must see to recognize one of the patterns: the three parts of a JSON web token. */
const SHAPE_CHARS = 4096;

/**
 * Removes secrets from texts, and from every text and key within a JSON value. With `most`, only that many characters of the input are searched
 * and kept; a secret that begins among them is removed completely.
 */
export interface Scrubber {
  text(text: string, most?: number): string;
  value(value: unknown, most?: number): unknown;
}

/** Creates a scrubber that also knows these texts. `looked` gets the number of characters that were searched, for tests. */
export function createScrubber(secrets: readonly string[] = [], looked: (chars: number) => void = () => {}): Scrubber {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS);
  const reach = Math.max(SHAPE_CHARS, ...known.map(({ length }) => length));

  const text = (given: string, most = given.length) => {
    if (most <= 0) return "";
    const near = given.slice(0, most + reach);
    looked(near.length);
    let shown = "";
    let at = 0;
    for (const { start, end } of findSecrets(near, known)) {
      if (start >= most) break;
      // A secret that overlaps the last one is a part of it.
      if (start >= at) shown += near.slice(at, start) + MARK;
      at = Math.max(at, end);
    }
    const whole = shown + near.slice(at, Math.max(at, most));
    return most < given.length ? whole.toWellFormed() : whole;
  };

  const value = (given: unknown, most = Number.POSITIVE_INFINITY): unknown => {
    let left = most;
    const take = (one: string) => {
      const shown = text(one, Math.min(left, one.length));
      left -= one.length;
      return shown;
    };
    // Each value takes at least one character of JSON, so anything left out here would come after the first `most` characters of that JSON.
    const copy = (one: unknown): unknown => {
      left--;
      if (typeof one === "string") return take(one);
      if (typeof one !== "object" || one === null) return one;
      if (Array.isArray(one)) return one.flatMap((item) => (left > 0 ? [copy(item)] : []));
      const entries = Object.entries(one).flatMap(([key, inner]) => (left > 0 ? [[take(key), copy(inner)]] : []));
      return Object.fromEntries(entries);
    };
    return copy(given);
  };
  return { text, value };
}

/** Finds the secrets of a text, sorted by where they begin. */
function findSecrets(text: string, known: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const secret of known)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      found.push({ start: at, end: at + secret.length });
  // Almost no text has one.
  for (const { shape, sign = shape } of SHAPES)
    if (text.search(sign) >= 0)
      for (const { 0: match, index } of text.matchAll(shape)) found.push({ start: index, end: index + match.length });
  return found.sort((one, other) => one.start - other.start);
}
