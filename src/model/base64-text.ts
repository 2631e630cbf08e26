// Writes bytes as Base64 text, for requests.

/** The Base64 text of bytes, made in pieces of whole groups of three: a whole file has more bytes than a call may have arguments. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES)));
  return text;
}

const PIECE_BYTES = 3 * 4096;
