// The lines that we add below an answer: the pages that its model names as sources, and a line about pictures that can't be shown.
import { firstPoints } from "../markdown/code-points.ts";

/** A page that an answer is based on. */
export interface Source {
  url: string;
  host: string;
  title: string | null;
}

const MAX_LINES = 15;
const MAX_TITLE_CHARS = 80;
/** Discord does not render longer links. */
const MAX_URL_CHARS = 512;

/** Writes one small line for each page, with the numbers that the answer uses and without previews. Empty if there are none. */
export function sourceLines(sources: readonly Source[]): string {
  const lines = sources.slice(0, MAX_LINES).map((source, position) => `-# [${position + 1}] ${link(source)}`);
  const more = sources.length - lines.length;
  return [...lines, ...(more > 0 ? [`-# and ${more} more`] : [])].join("\n");
}

function link({ url, host, title }: Source): string {
  const address = url.replaceAll(")", "%29").replaceAll(">", "%3E");
  // Discord shows a link as plain text if its words look like another address, or if markup in the words breaks it.
  const words = (title ?? "").replaceAll(/[\\[\]()<>*_~`|#\s]+/g, " ").trim();
  const shown = words === "" || /:\/\//.test(words) ? host : firstPoints(words, MAX_TITLE_CHARS);
  return address.length > MAX_URL_CHARS ? shown : `[${shown}](<${address}>)`;
}

/** Says that the model's pictures are missing. */
export const MISSING_PICTURES = "-# The model also sent pictures, which can't be shown here.";
