// Keeps secrets in storage: AES-256-GCM with a key that is derived from TOKEN_ENCRYPTION_KEY. A sealed text opens only for the purpose
// that it was sealed for, so a row that is moved elsewhere is worth nothing there.
import { derivedKey } from "../../src/discord/answers/connection-state.ts";

/** Seals and opens texts. `purpose` names the place of the text. */
export interface Seal {
  close(text: string, purpose: string): Promise<string>;
  /** Null: it was sealed with another key or for another purpose, or is damaged. */
  open(sealed: string, purpose: string): Promise<string | null>;
}

const IV_BYTES = 12;

/** Makes a seal from the variable's text. */
export function createSeal(secret: string): Seal {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = () => derivedKey(secret, "remote tokens", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]);
  return {
    async close(text, purpose) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const how = { name: "AES-GCM", iv, additionalData: bytes(purpose) };
      const sealed = new Uint8Array(await crypto.subtle.encrypt(how, await key(), bytes(text)));
      return toBase64(Uint8Array.of(...iv, ...sealed));
    },
    async open(sealed, purpose) {
      try {
        const all = Uint8Array.from(atob(sealed), (one) => one.charCodeAt(0));
        const how = { name: "AES-GCM", iv: all.subarray(0, IV_BYTES), additionalData: bytes(purpose) };
        return new TextDecoder().decode(await crypto.subtle.decrypt(how, await key(), all.subarray(IV_BYTES)));
      } catch {
        return null;
      }
    },
  };
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
