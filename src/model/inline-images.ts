// Pictures for models that can't fetch them: we read them and send them as data. Their bytes are kept only in memory, for the other steps
// of the turn, and a picture that can't be read is mentioned in words. Loaded when a model needs it.
import type { ModelRequest } from "../turn/ports.ts";
import { encodeBase64 } from "./base64-text.ts";
import { readAtMost } from "./read-at-most.ts";
import { withPictures } from "./unseen-pictures.ts";

/** The most bytes of one picture, and of all pictures in one request: providers refuse more, and Base64 adds a third. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
const MAX_PICTURES = 5;
const READ_LIMIT_MS = 20_000;
const CDN = "https://cdn.discordapp.com/";
const MEDIA_PROXY = "https://media.discordapp.net/";
const TYPES = /^image\/(?:png|jpeg|webp|gif)$/;

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Puts pictures into a request. */
export type InlineImages = (request: ModelRequest, signal: AbortSignal) => Promise<ModelRequest>;

/** Creates the reader of one model's pictures. Never throws: an abort has the same effect as an unreadable picture. May run twice. */
export function createInlineImages(fetch: Fetch): InlineImages {
  /** The pictures of the newest request. */
  let known = new Map<string, string | null>();
  let results = 0;
  return async (request, signal) => {
    const wanted = request.messages.flatMap((message) => (message.role === "user" ? (message.images ?? []) : []));
    if (wanted.length === 0) {
      known = new Map();
      return request;
    }
    // The newest pictures are the ones that are asked about.
    const urls = [...new Set(wanted)].slice(-MAX_PICTURES).toReversed();
    const before = results;
    results = request.messages.filter(({ role }) => role === "tool").length;
    // With more tool results this is the next step of a turn, which does not wait again for a picture that could not be read.
    const isUnreadable = (url: string) => results > before && known.has(url);
    const read = await Promise.all(
      urls.map((url) => known.get(url) ?? (isUnreadable(url) ? null : readPicture(fetch, url, signal))),
    );
    const pictures = new Map<string, string | null>();
    let bytes = 0;
    for (const [at, url] of urls.entries()) {
      const picture = read[at] ?? null;
      const size = (picture?.length ?? 0) * 0.75;
      const hasRoom = bytes + size <= MAX_REQUEST_BYTES;
      if (hasRoom) bytes += size;
      pictures.set(url, hasRoom ? picture : null);
    }
    known = pictures;
    return {
      ...request,
      messages: request.messages.map((one) => (one.role === "user" ? withPictures(one, pictures) : one)),
    };
  };
}

/** Returns the picture as a data URL; null if there is none within the limits. */
async function readPicture(fetch: Fetch, url: string, signal: AbortSignal): Promise<string | null> {
  if (url.startsWith("data:")) return url;
  if (!/^https?:/i.test(url)) return null;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), READ_LIMIT_MS);
  const limit = AbortSignal.any([signal, late.signal]);
  try {
    const picture = await readAddress(fetch, url, limit);
    // Discord's CDN refuses to give a Worker the files of ordinary messages, but its media proxy has them under the same path.
    if (picture !== null || limit.aborted || !url.startsWith(CDN)) return picture;
    return await readAddress(fetch, url.replace(CDN, MEDIA_PROXY), limit);
  } finally {
    clearTimeout(timer);
  }
}

async function readAddress(fetch: Fetch, url: string, limit: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: limit, redirect: "manual" });
    const type = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const isGood = response.ok && TYPES.test(type);
    const bytes = isGood ? await readAtMost(response, MAX_PICTURE_BYTES) : null;
    if (!bytes) await response.body?.cancel();
    return bytes?.length ? `data:${type};base64,${encodeBase64(bytes)}` : null;
  } catch {
    return null;
  }
}
