// Checks that a request comes from Discord: Ed25519 over the timestamp followed by the raw body. Runs before anything is parsed.

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const TIMESTAMP = /^\d{1,12}$/;

/**
 * How far the timestamp may differ from our clock, in seconds. It is part of what Discord signs, so a recorded request can't be replayed later.
 */
export const MAX_TIMESTAMP_SKEW_S = 300;

/** The two signature headers and the body. */
export interface SignedParts {
  signature: string | null;
  timestamp: string | null;
  body: Uint8Array;
}

type PublicKey = Parameters<typeof crypto.subtle.verify>[1];

const keys = new Map<string, Promise<PublicKey | null>>();

/** Why a request is refused, for the operator's log. `other_key`: a forged request, or the public key is not this application's. */
export type SignatureFault =
  | "no_signature"
  | "malformed_signature"
  | "malformed_timestamp"
  | "timestamp_too_far_away"
  | "unusable_public_key"
  | "other_key";

/**
 * Returns null for a request that Discord signed within the last five minutes, else the reason to refuse it. Never throws: workerd throws for
 * a signature that is not 64 bytes long and for a key that is not 32; here both are reasons.
 */
export async function findSignatureFault(
  parts: SignedParts,
  publicKeyHex: string,
  nowMs: number,
): Promise<SignatureFault | null> {
  const { timestamp } = parts;
  if (!parts.signature || !timestamp) return "no_signature";
  const signature = bytesOfHex(parts.signature, SIGNATURE_BYTES);
  if (!signature) return "malformed_signature";
  if (!TIMESTAMP.test(timestamp)) return "malformed_timestamp";
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_TIMESTAMP_SKEW_S) return "timestamp_too_far_away";
  const key = await cachedKey(publicKeyHex);
  if (!key) return "unusable_public_key";
  const prefix = new TextEncoder().encode(timestamp);
  const message = new Uint8Array(prefix.length + parts.body.length);
  message.set(prefix);
  message.set(parts.body, prefix.length);
  try {
    return (await crypto.subtle.verify("Ed25519", key, signature, message)) ? null : "other_key";
  } catch {
    return "other_key";
  }
}

/** Importing a key costs more than verifying, and the key stays the same for the life of the isolate. */
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
