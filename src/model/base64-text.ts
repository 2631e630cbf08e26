// Encodes bytes as Base64 text, for requests.

/** Encodes bytes in pieces of whole groups of three, because a file has more bytes than a function call may have arguments. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES)));
  return text;
}

const PIECE_BYTES = 3 * 4096;
