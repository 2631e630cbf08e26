// Removes keys and tokens from everything that a tool returns: a result is read by a model, shown to people and stored. Knows the
// shapes of common secrets and, exactly, those of this installation.

const MARK = "[secret]";
/** A shorter text is not a secret, and removing it would break ordinary words. */
const MIN_SECRET_CHARS = 8;

/** Each is unmistakable by itself. A Discord bot token has three dotted parts; a webhook's address contains its token. */
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

/** Removes secrets from texts, and from every text and key in a JSON value. */
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
