// Decodes Base64 text.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128).fill(64);
for (let value = 0; value < LETTERS.length; value++) VALUES[LETTERS.charCodeAt(value)] = value;

/** Returns how many bytes a Base64 text encodes, from its length. */
export const base64Bytes = (text: string): number => Math.floor((text.replace(/==?$/, "").length * 3) / 4);

/** Returns the bytes; null if the text is not Base64. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = new Uint8Array(base64Bytes(text));
  const end = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  let at = 0;
  let bits = 0;
  for (let index = 0; index < end; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? 64;
    if (value === 64) return null;
    bits = ((bits << 6) | value) & 0xffffff;
    if (index % 4 === 0) continue;
    bytes[at++] = (bits >> (6 - 2 * (index % 4))) & 0xff;
  }
  return end % 4 === 1 ? null : bytes;
}
