// Makes a provider's message fit for the log and the trace: short, on one line, and without a key or any part of one.

const MAX_MESSAGE_CHARS = 300;
/** The text is cut to this length before it is searched. It is longer than what is kept, because marks are shorter than keys. */
const MAX_SEARCHED_CHARS = 2000;

/**
 * A provider that rejects a key often repeats it, in full or with stars in the middle. The patterns are those of OpenAI, Groq, xAI, Google and a
 * Bearer header.
 */
const SHAPES: readonly RegExp[] = [
  /[^\s"':,]*\*{3,}[^\s"',]*/g,
  /\b(?:sk|gsk|xai)[-_][\w-]{4,}/g,
  /\b(?:AIza|AQ\.)[\w-]{10,}/g,
  /(?<=\bbearer )\S+/gi,
];

/** Returns the message without these secrets and without keys, at most 300 characters. */
export function cleanMessage(text: string, secrets: readonly string[]): string {
  const start = text.slice(0, MAX_SEARCHED_CHARS);
  const lastSpace = start.lastIndexOf(" ");
  // A key that the cut went through would no longer be recognized.
  const whole = start.length < text.length && lastSpace > 0 ? start.slice(0, lastSpace) : start;
  const withoutSecrets = secrets.reduce((left, secret) => left.replaceAll(secret, "[key]"), whole);
  const without = SHAPES.reduce((left, shape) => left.replace(shape, "[key]"), withoutSecrets);
  return without.replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_CHARS).toWellFormed();
}
