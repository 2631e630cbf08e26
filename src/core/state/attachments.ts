// The files of a question: their kinds, and their names in the transcript. Pure; fetching happens elsewhere.

import { asideLines } from "../transcript/asides.ts";

/** A person's file, as Discord describes it. Both addresses are signed and expire (Discord's CDN). */
export interface Attachment {
  id: string;
  filename: string;
  contentType: string | null;
  /** Bytes; 0 if not known. */
  size: number;
  /** The length of a voice note. */
  seconds?: number;
  url: string;
  /** The same file through Discord's media proxy. */
  proxyUrl: string;
}

/** How a model can use a file. */
export type AttachmentKind = "image" | "text" | "sound" | "other";

/** The formats that models with image input accept. */
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp)\b/;
const SOUND_TYPE = /^audio\//;
const SOUND_NAME = /\.(ogg|oga|opus|mp3|m4a|mpga|wav|flac|aac)$/i;
const TEXT_TYPE =
  /^(text\/|application\/([\w.-]+\+)?(json|xml|javascript|ecmascript|x-ndjson|yaml|x-yaml|toml|sql|x-sh|graphql)\b)/;
/** Discord guesses the type from the name, and knows few of the file types that programmers use. */
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;
const TEXT_NAME =
  /(\.(txt|md|markdown|csv|tsv|log|json[cl5]?|ndjson|xml|ya?ml|toml|ini|cfg|conf|env|diff|patch|tex|rst|html?|css|s[ac]ss|less|svg|[cm]?[jt]sx?|vue|svelte|py|rb|rs|go|java|kts?|scala|swift|[ch]|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl|hs|exs?|erl|clj|dart|zig|nim|sql|graphql|proto|sh|bash|zsh|fish|ps1|bat|gradle|tf)|^(dockerfile|makefile|license|readme))$/i;

/** Decides the kind by the type, or by the name when the type says nothing. */
export function attachmentKind({
  contentType,
  filename,
}: Pick<Attachment, "contentType" | "filename">): AttachmentKind {
  const type = (contentType ?? "").toLowerCase();
  if (IMAGE_TYPE.test(type)) return "image";
  if (TEXT_TYPE.test(type)) return "text";
  if (SOUND_TYPE.test(type)) return "sound";
  if (type !== "" && !type.startsWith("application/octet-stream") && !TEXT_NAME.test(filename)) return "other";
  if (IMAGE_NAME.test(filename)) return "image";
  if (SOUND_NAME.test(filename)) return "sound";
  return TEXT_NAME.test(filename) ? "text" : "other";
}

/** When a signed address ends, in hexadecimal seconds (docs: reference, "Signed Attachment CDN URLs"). */
const EXPIRY = /[?&]ex=([\da-f]{1,10})(?:&|$)/i;
/** No conversation is kept for longer, so if the time in an address is further back, it isn't an expiry. */
const LONGEST_MS = 366 * 86_400_000;

/** Whether this signed address has expired. A provider that is given an expired one refuses the whole request. */
export function isExpired(url: string, now: number): boolean {
  const [, seconds = ""] = EXPIRY.exec(url) ?? [];
  const endedFor = now - Number.parseInt(seconds, 16) * 1000;
  return endedFor >= 0 && endedFor < LONGEST_MS;
}

/** Returns a question's sounds that have no stored transcription. */
export const openSounds = ({
  attachments = [],
  heard = [],
}: {
  attachments?: readonly Attachment[];
  heard?: readonly Pick<Attachment, "id">[];
}): Attachment[] =>
  attachments.filter((one) => attachmentKind(one) === "sound" && !heard.some(({ id }) => id === one.id));

/** Returns the first file over the limit (bytes per file, as the interaction gives it); null when all are accepted. */
export function overLimit(attachments: readonly Attachment[], limit: number): Attachment | null {
  return attachments.find(({ size }) => size > limit) ?? null;
}

/** Returns a question with the names and sizes of its files, one line each, as in the transcript. */
export function withFileNames(text: string, attachments: readonly Attachment[] = []): string {
  return [text, ...asideLines({ files: attachments })].join("\n");
}
