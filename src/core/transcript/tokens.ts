// Estimates how many tokens a text has. No tokenizer is small enough to bundle, and providers differ; the estimate must only
// rarely be too low.

/** Most scripts have about four characters per token. */
const CHARS_PER_TOKEN = 4;
/** From this code point on (CJK, kana, hangul, emoji) a character is about one token. */
const WIDE_FROM = 0x2e80;

/** Returns the estimated number of tokens. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let unit = 0; unit < text.length; unit++) if (text.charCodeAt(unit) >= WIDE_FROM) wide++;
  return wide + Math.ceil((text.length - wide) / CHARS_PER_TOKEN);
}
