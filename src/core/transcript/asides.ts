// Describes for a model what comes with a message besides its words: one bracketed line each, with a name and a size.
import { firstPoints } from "../markdown/code-points.ts";
import { cleanName, seenText } from "./names.ts";

/** A file of a message. The size is in bytes, 0 if not known. */
export interface AsideFile {
  filename: string;
  contentType: string | null;
  size: number;
}

/** What a message has besides its words. */
export interface Asides {
  files?: readonly AsideFile[];
  /** The names of the stickers. */
  stickers?: readonly string[];
  /** The question, its answers, and their votes if known. */
  poll?: string;
  /** Titles, or the beginning of the content. */
  embeds?: readonly string[];
  /** The words of a forwarded message. */
  forwarded?: string;
}

const MAX_WORDS = 200;
/** A question of 300 characters and ten answers of 55 (docs: resources/poll), with their votes and separators. */
const MAX_POLL = 1_050;

/** Returns the lines, in a fixed order. */
export const asideLines = ({ files = [], stickers = [], poll, embeds = [], forwarded }: Asides): string[] => [
  ...files.map(fileLine),
  ...stickers.map((name) => `[sticker: ${cleanName(name)}]`),
  ...(poll === undefined ? [] : [`[poll: ${oneLine(poll, MAX_POLL)}]`]),
  ...embeds.map((words) => `[embed: ${oneLine(words, MAX_WORDS)}]`),
  ...(forwarded === undefined ? [] : [`[forwarded message: ${oneLine(forwarded, MAX_WORDS)}]`]),
];

function fileLine({ filename, contentType, size }: AsideFile): string {
  const type = contentType ?? "";
  const isVoice = type.startsWith("audio/") && filename.startsWith("voice-message");
  const kind = isVoice ? "voice note" : type.startsWith("image/") ? "picture" : "file";
  const ofSize = size > 0 ? `, ${sizeText(size)}` : "";
  return `[${kind}: ${oneLine(filename, MAX_WORDS)}${ofSize}]`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Puts words on one line, without brackets, cut to this many characters. */
function oneLine(text: string, most: number): string {
  const line = foldedText(text).replace(/[[\]]/g, "");
  const kept = firstPoints(line, most);
  return kept === line ? line : `${kept}…`;
}

/** Puts a text on one line, without invisible characters. */
export const foldedText = (text: string): string => seenText(text.replace(/\s+/g, " ")).trim();
