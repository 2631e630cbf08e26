// Recognizes what a pasted text is if it is not a bot token: the usual mix-ups have distinct shapes. Pure; never prints what was pasted.

/** What was pasted instead of a token. */
export type TokenFault = "empty" | "public_key" | "application_id" | "client_secret" | "not_a_token";

/** Removes what people paste along with a token: quotes, spaces, the word Bot. */
export const trimToken = (text: string): string =>
  text
    .trim()
    .replace(/^["'`]|["'`]$/g, "")
    .replace(/^Bot\s+/i, "")
    .trim();

/** Returns what was pasted instead of a token. Null: it may be a token, whose first part is the bot's id in base64. */
export function findTokenFault(text: string): TokenFault | null {
  const token = trimToken(text);
  if (token === "") return "empty";
  if (/^[0-9a-f]{64}$/i.test(token)) return "public_key";
  if (/^\d{17,20}$/.test(token)) return "application_id";
  if (/^[\w-]{32}$/.test(token)) return "client_secret";
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? null : "not_a_token";
}
