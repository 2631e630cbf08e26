// The pictures of an answer: those that come as data become files of the reply, the others are shown by their addresses.
import { MAX_REPLY_FILE_BYTES } from "../core/limits.ts";
import { MAX_NAMED_FILES, type MadeFile, readFileName, readFileType } from "../core/state/reply-files.ts";
import { base64Bytes, decodeBase64 } from "../core/transcript/base64.ts";

/** A message can't show a longer address. */
const MAX_ADDRESS_CHARS = 2000;

/** Collects the pictures of one answer. Providers repeat them in the last chunk, so equal ones count once. */
export function createPictures() {
  const addresses = new Set<string>();
  /** The files, by their Base64 text. */
  const made = new Map<string, MadeFile>();
  let bytes = 0;
  let isAnyMissing = false;
  return {
    take(url: string): void {
      const hasRoom = url.length <= MAX_ADDRESS_CHARS && (addresses.size < MAX_NAMED_FILES || addresses.has(url));
      if (hasRoom && /^https?:/i.test(url)) return void addresses.add(url);
      const comma = url.indexOf(",");
      const [, type] = /^data:([^;,]*);base64$/i.exec(url.slice(0, comma)) ?? [];
      const base64 = url.slice(comma + 1);
      if (made.has(base64)) return;
      const size = base64Bytes(base64);
      const isWanted = type !== undefined && size > 0 && made.size < MAX_NAMED_FILES;
      const data = isWanted && bytes + size <= MAX_REPLY_FILE_BYTES ? decodeBase64(base64) : null;
      if (!data) {
        isAnyMissing = true;
        return;
      }
      bytes += size;
      const known = readFileType(type);
      made.set(base64, { name: readFileName(`picture-${made.size + 1}`, known), type: known, data });
    },
    addresses: () => [...addresses],
    /** Whether some could not be read, or are too many or together too large. */
    isAnyMissing: () => isAnyMissing,
    files: () => [...made.values()],
  };
}
