// What a link to the sign-in of a remote server carries: which scope it belongs to, and which attempt there. Signed, so that a stranger's
// request wakes no object.

/** A link's content. `guildId` null: the deployment's scope. */
export interface ConnectionState {
  guildId: string | null;
  nonce: string;
}

const SHAPE = /^(\d{1,20})\.([A-Za-z0-9_-]{16,64})\.([A-Za-z0-9_-]{43})$/;

/** The text that links and redirects carry. */
export async function writeState({ guildId, nonce }: ConnectionState, secret: string): Promise<string> {
  const body = `${guildId ?? "0"}.${nonce}`;
  const mac = new Uint8Array(
    await crypto.subtle.sign("HMAC", await signingKey(secret), new TextEncoder().encode(body)),
  );
  return `${body}.${base64url(mac)}`;
}

/** Null for a text that we did not write. Never throws. */
export async function readState(text: string, secret: string): Promise<ConnectionState | null> {
  const [, guild = "", nonce = "", mac = ""] = SHAPE.exec(text) ?? [];
  if (nonce === "") return null;
  const body = new TextEncoder().encode(`${guild}.${nonce}`);
  const bytes = Uint8Array.from(atob(`${mac.replaceAll("-", "+").replaceAll("_", "/")}=`), (one) => one.charCodeAt(0));
  const isOurs = await crypto.subtle.verify("HMAC", await signingKey(secret), bytes, body);
  return isOurs ? { guildId: guild === "0" ? null : guild, nonce } : null;
}

/** A key of its own, so that no signature tells anything of how tokens are kept. */
const signingKey = (secret: string) =>
  derivedKey(secret, "connection state", { name: "HMAC", hash: "SHA-256", length: 256 }, ["sign", "verify"]);

/** A key for one purpose from the operator's secret. */
export async function derivedKey(
  secret: string,
  purpose: string,
  algorithm: { name: string; length: number; hash?: string },
  uses: ("sign" | "verify" | "encrypt" | "decrypt")[],
) {
  const text = (words: string) => new TextEncoder().encode(words);
  const base = await crypto.subtle.importKey("raw", text(secret), "HKDF", false, ["deriveKey"]);
  const from = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: text(`parley ${purpose}`) };
  return crypto.subtle.deriveKey(from, base, algorithm, false, uses);
}

/** Bytes as text that fits into an address. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
