// Reads the files that people attach, from Discord's CDN and nowhere else. For files of ordinary messages, the CDN answers a Worker with 403
// (Discord's tutorial on hosting on Workers); files of an interaction work. The media proxy is tried second.
import type { Attachment } from "../../core/state/attachments.ts";
import type { AttachmentReader, Log, ReadText, Timers } from "../../turn/ports.ts";
import { withinLimit } from "./time-limit.ts";

/** What the reader needs. `localHost`: the host and port of a local Discord, which serves its own files. */
export interface AttachmentReaderParams {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  timers: Timers;
  userAgent: string;
  localHost: string | null;
  log?: Pick<Log, "error">;
}

/** Reads a whole file; null if it can't be read or is larger than Discord said. Never throws; may run twice. */
export type ReadFile = (attachment: Attachment, signal: AbortSignal) => Promise<Uint8Array | null>;

/** The last one is Discord's proxy for pictures that are hosted elsewhere. */
const CDN_HOST = /^(?:cdn\.discordapp\.com|media\.discordapp\.net|images-ext-\d\.discordapp\.net)$/;
/** Discord's attachments arrive quickly or not at all. */
const READ_TIMEOUT_MS = 10_000;

/** Creates a reader. Its methods never throw and may run twice. */
export function createAttachmentReader(params: AttachmentReaderParams): AttachmentReader & { readFile: ReadFile } {
  const isTrusted = (address: string) => {
    if (!URL.canParse(address)) return false;
    const { protocol, host } = new URL(address);
    return (protocol === "https:" && CDN_HOST.test(host)) || (protocol === "http:" && host === params.localHost);
  };
  /** Applies `read` to the first answer that has the file; null if none has it. */
  const readFirst = async <Result>(
    { url, proxyUrl }: Attachment,
    signal: AbortSignal,
    read: (body: ReadableStream<Uint8Array>) => Promise<Result>,
  ): Promise<Result | null> => {
    for (const address of new Set([url, proxyUrl].filter(isTrusted))) {
      const found = await readOnce(params, address, signal, read);
      if (found) return found;
    }
    return null;
  };
  return {
    imageUrl: ({ url }) => (isTrusted(url) ? url : null),
    async readText(attachment, maxBytes, signal) {
      const read = await readFirst(attachment, signal, async (body) => decodeText(await beginning(body, maxBytes)));
      return read ?? { ok: false, reason: "unreachable" };
    },
    async readFile(attachment, signal) {
      const { size } = attachment;
      const bytes = await readFirst(attachment, signal, (body) => beginning(body, size + 1));
      return bytes && bytes.byteLength <= size ? bytes : null;
    },
  };
}

/** Applies `read` to the body of the answer; null if there is none. */
async function readOnce<Result>(
  { fetch, timers, userAgent, log }: AttachmentReaderParams,
  address: string,
  signal: AbortSignal,
  read: (body: ReadableStream<Uint8Array>) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await withinLimit(timers, READ_TIMEOUT_MS, signal, async (within) => {
      // Redirects are not followed: what they lead to is not the file.
      const init = { headers: { "User-Agent": userAgent }, redirect: "manual", signal: within } as const;
      const response = await fetch(address, init);
      if (response.status === 200 && response.body) return await read(response.body);
      await response.body?.cancel();
      log?.error("Discord did not serve a file", { status: response.status });
      return null;
    });
  } catch (error) {
    log?.error("a file could not be read", { error: String(error) });
    return null;
  }
}

/** Returns the first bytes of a body. Does not wait for the rest. */
async function beginning(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(maxBytes);
  let size = 0;
  for await (const chunk of body) {
    const kept = chunk.subarray(0, maxBytes - size);
    bytes.set(kept, size);
    size += kept.byteLength;
    if (size === maxBytes) break;
  }
  return bytes.subarray(0, size);
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Drops a character that the end cuts in two. */
function decodeText(bytes: Uint8Array): ReadText {
  const [first, second] = bytes;
  const label =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(label).decode(bytes, { stream: true });
  return text.includes("\0") ? { ok: false, reason: "not_text" } : { ok: true, text, bytes: bytes.byteLength };
}
