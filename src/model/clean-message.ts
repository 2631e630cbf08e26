// Makes a provider's message fit for the log and the trace: short, on one line, without a key or any part of it.

const MAX_MESSAGE_CHARS = 300;
/** Cut before it is searched. Longer than what is kept, because marks are shorter than keys. */
const MAX_SEARCHED_CHARS = 2000;

/**
 * A provider that rejects a key often repeats it, whole or with stars in its middle. The shapes are those of OpenAI, Groq, xAI,
 * Google and a Bearer header.
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
  // A key that the cut went through can't be recognized any more.
  const whole = start.length < text.length && lastSpace > 0 ? start.slice(0, lastSpace) : start;
  const withoutSecrets = secrets.reduce((left, secret) => left.replaceAll(secret, "[key]"), whole);
  const without = SHAPES.reduce((left, shape) => left.replace(shape, "[key]"), withoutSecrets);
  return without.replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_CHARS).toWellFormed();
}
