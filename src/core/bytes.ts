// Joins and collects bytes that arrive in pieces, and writes bytes as text.

/** Joins the pieces into one array. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Copies the pieces of a body and keeps none of them: workerd gives each a buffer of 4 KiB, even for a single byte, so a short body in many
 * pieces would fill the memory. `add` returns how many bytes there are so far; `first` returns the first `count` of them, or all.
 */
export function collectBytes() {
  let bytes = new Uint8Array();
  let size = 0;
  return {
    add(piece: Uint8Array): number {
      const start = size;
      size += piece.length;
      if (size > bytes.length) {
        const before = bytes;
        bytes = new Uint8Array(2 * size);
        bytes.set(before);
      }
      bytes.set(piece, start);
      return size;
    },
    first: (count = size) => bytes.slice(0, count),
  };
}

/** Writes each byte as two hexadecimal digits. */
export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
