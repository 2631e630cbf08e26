// Is this request from Discord? Ed25519 over the timestamp followed by the raw body. Decides before anything is parsed.

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const TIMESTAMP = /^\d{1,12}$/;

/** Older or newer requests are refused: Discord signs the timestamp, so a recorded request can't be played again later. */
export const MAX_TIMESTAMP_SKEW_S = 300;

/** What the two headers and the body said. */
export interface SignedParts {
  signature: string | null;
  timestamp: string | null;
  body: Uint8Array;
}

type PublicKey = Parameters<typeof crypto.subtle.verify>[1];

const keys = new Map<string, Promise<PublicKey | null>>();

/**
 * True for a request that Discord signed within the last five minutes. Never throws: workerd throws on signatures that are
 * not 64 bytes and on keys that are not 32, which here is simply not a valid signature.
 */
export async function isFromDiscord(parts: SignedParts, publicKeyHex: string, nowMs: number): Promise<boolean> {
  const { timestamp } = parts;
  const signature = bytesOfHex(parts.signature ?? "", SIGNATURE_BYTES);
  if (!signature || !timestamp || !TIMESTAMP.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_TIMESTAMP_SKEW_S) return false;
  const key = await cachedKey(publicKeyHex);
  if (!key) return false;
  const prefix = new TextEncoder().encode(timestamp);
  const message = new Uint8Array(prefix.length + parts.body.length);
  message.set(prefix);
  message.set(parts.body, prefix.length);
  try {
    return await crypto.subtle.verify("Ed25519", key, signature, message);
  } catch {
    return false;
  }
}

/** Importing costs more than verifying, and the key is the same for the life of the isolate. */
function cachedKey(hex: string): Promise<PublicKey | null> {
  const known = keys.get(hex) ?? importKey(hex);
  keys.set(hex, known);
  return known;
}

async function importKey(hex: string): Promise<PublicKey | null> {
  const raw = bytesOfHex(hex, KEY_BYTES);
  if (!raw) return null;
  try {
    return await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
}

function bytesOfHex(hex: string, length: number): Uint8Array<ArrayBuffer> | null {
  if (hex.length !== length * 2 || !/^[0-9a-f]+$/i.test(hex)) return null;
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}
