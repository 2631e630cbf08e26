// Protects secrets in places that others could read or change, in storage and in links: AES-256-GCM with a key derived from
// TOKEN_ENCRYPTION_KEY. A sealed text opens only for the purpose for which it was sealed, so it is useless anywhere else.

/** Seals and opens texts. `purpose` names where the text belongs. A sealed text can be part of a URL. */
export interface Seal {
  close(text: string, purpose: string): Promise<string>;
  /** Returns null if the text was sealed with another key or for another purpose, or is damaged. */
  open(sealed: string, purpose: string): Promise<string | null>;
}

const IV_BYTES = 12;

/** Creates a seal from the variable's text. */
export function createSeal(secret: string): Seal {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = async () => {
    const base = await crypto.subtle.importKey("raw", bytes(secret), "HKDF", false, ["deriveKey"]);
    const derived = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytes("parley remote tokens") };
    return crypto.subtle.deriveKey(derived, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  };
  const how = (iv: Uint8Array<ArrayBuffer>, purpose: string) => ({
    name: "AES-GCM",
    iv,
    additionalData: bytes(purpose),
  });
  return {
    async close(text, purpose) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(how(iv, purpose), await key(), bytes(text)));
      return base64url(Uint8Array.of(...iv, ...sealed));
    },
    async open(sealed, purpose) {
      try {
        const plain = atob(sealed.replaceAll("-", "+").replaceAll("_", "/"));
        const all = Uint8Array.from(plain, (one) => one.charCodeAt(0));
        const [iv, rest] = [all.slice(0, IV_BYTES), all.slice(IV_BYTES)];
        return new TextDecoder().decode(await crypto.subtle.decrypt(how(iv, purpose), await key(), rest));
      } catch {
        return null;
      }
    },
  };
}

/** Encodes bytes as text that can be part of a URL. */
export function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
