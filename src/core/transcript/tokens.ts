// How many tokens a text is, roughly. No tokenizer is small enough to carry, and providers differ; what counts is that the
// estimate is seldom too low.

/** Letters of most scripts come about four to a token. */
const CHARS_PER_TOKEN = 4;
/** From here on (CJK, kana, hangul, emoji) a character is about a token of its own. */
const WIDE_FROM = 0x2e80;

/** The estimated number of tokens. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let unit = 0; unit < text.length; unit++) if (text.charCodeAt(unit) >= WIDE_FROM) wide++;
  return wide + Math.ceil((text.length - wide) / CHARS_PER_TOKEN);
}
