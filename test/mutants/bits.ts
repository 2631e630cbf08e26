// A set of sites as text: one bit each.

/** Encodes the sites whose byte is not 0. */
export function toBits(bytes: Uint8Array): string {
  const bits = Buffer.alloc(Math.ceil(bytes.length / 8));
  for (const [at, byte] of bytes.entries()) if (byte) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return bits.toString("base64");
}

/** Decodes the set. */
export const fromBits = (text: string): Buffer => Buffer.from(text, "base64");

/** Whether a site is in a set. */
export const hasBit = (bits: Buffer, at: number): boolean => (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
