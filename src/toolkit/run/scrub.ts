// Keys and tokens out of everything that a tool answers: a result is read by a model, shown to people and kept. Knows the shapes of
// common secrets and, exactly, the ones of this installation.

const MARK = "[secret]";
/** Shorter texts are no secrets, and taking them out would tear ordinary words apart. */
const MIN_SECRET_CHARS = 8;

/** Each alone is unmistakable. A Discord bot token is three dotted parts; a webhook's address carries its token. */
const SHAPES: readonly RegExp[] = [
  /\b[A-Za-z\d_-]{23,28}\.[A-Za-z\d_-]{6,7}\.[A-Za-z\d_-]{27,}/g,
  /(?<=\/webhooks\/\d{15,25}\/)[A-Za-z\d_-]{20,}/g,
  /\bsk-[A-Za-z\d_-]{16,}/g,
  /\bgh[opsur]_[A-Za-z\d]{20,}/g,
  /\bAKIA[A-Z\d]{16}\b/g,
  /\bxox[abposr]-[A-Za-z\d-]{10,}/g,
  /\beyJ[A-Za-z\d_-]{10,500}\.[A-Za-z\d_-]{10,2000}\.[A-Za-z\d_-]{10,1000}/g,
  /(?<=\bBearer\s)[A-Za-z\d._~+/-]{16,}=*/gi,
];

/** Takes secrets out of texts, and out of every text and key within a JSON value. */
export interface Scrubber {
  text(text: string): string;
  value(value: unknown): unknown;
}

/** Makes a scrubber that also knows these texts. */
export function createScrubber(secrets: readonly string[] = []): Scrubber {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS);
  const text = (given: string) => {
    const without = known.reduce((left, secret) => left.replaceAll(secret, MARK), given);
    return SHAPES.reduce((left, shape) => left.replace(shape, MARK), without);
  };
  const value = (given: unknown): unknown => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [text(key), value(inner)]));
  };
  return { text, value };
}
