// Signs interactions as Discord does: Ed25519 over the timestamp's text followed by the raw body (docs: interactions/overview,
// "Validating Security Request Headers").
import { DEVELOPMENT_SEED_HEX, ED25519_PKCS8_PREFIX_HEX } from "../key.ts";

/** How a request is signed. */
export interface Signing {
  /** Seconds of the Unix clock, as Discord sends them. A test may give any text. */
  timestamp: string;
  /** The Ed25519 seed in hex; the development key by default. */
  key?: string;
  /** Sent instead of the true signature; null leaves the header out. */
  signature?: string | null;
  /** The URL of the request. */
  url?: string;
}

/** Builds a `POST /interactions` with Discord's two signature headers. */
export async function signedRequest(
  body: string,
  { timestamp, key = DEVELOPMENT_SEED_HEX, signature, url = "http://localhost/interactions" }: Signing,
): Promise<Request> {
  const headers = new Headers({
    "content-type": "application/json",
    "user-agent": "Discord-Interactions/1.0 (+https://discord.com)",
    "x-signature-timestamp": timestamp,
  });
  const sent = signature === undefined ? await sign(timestamp + body, key) : signature;
  if (sent !== null) headers.set("x-signature-ed25519", sent);
  return new Request(url, { method: "POST", headers, body });
}

type PrivateKey = Parameters<typeof crypto.subtle.sign>[1];

/** The keys of the few seeds so far: importing a key takes longer than signing. */
const keys = new Map<string, Promise<PrivateKey>>();

function keyOf(seedHex: string): Promise<PrivateKey> {
  const der = () => bytesFromHex(ED25519_PKCS8_PREFIX_HEX + seedHex);
  const key = keys.get(seedHex) ?? crypto.subtle.importKey("pkcs8", der(), { name: "Ed25519" }, false, ["sign"]);
  keys.set(seedHex, key);
  return key;
}

async function sign(text: string, seedHex: string): Promise<string> {
  const key = await keyOf(seedHex);
  const signature = await crypto.subtle.sign({ name: "Ed25519" }, key, new TextEncoder().encode(text));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const bytesFromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
