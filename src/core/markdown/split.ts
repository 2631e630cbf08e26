// Splits one text into messages. Every character is in exactly one piece: joined, the pieces are the text. A full part
// stays the same while the text after it grows. A fence or table that is open at a cut is closed there and continues in
// the next part.

import { MESSAGE_CODE_POINTS } from "../limits.ts";
import { cutReach, findCut } from "./cut.ts";
import { NOTHING_OPEN, renderPart } from "./part-content.ts";

/** One message: `content` shows `piece`, with the fences that a cut needs and with tables as code blocks. */
export interface Part {
  content: string;
  piece: string;
}

/** Splits a text that may have grown since the last call. */
export type Splitter = (text: string) => Part[];

/**
 * Returns the parts of `text`, each at most `limit` code points (what Discord counts), cut at the best boundary of its
 * second half, never inside a grapheme. Empty text has no parts.
 */
export const split = (text: string, limit?: number): Part[] => createSplitter(limit)(text);

/** Makes a splitter for one growing text: it makes full parts once and reads only the text after them again. */
export function createSplitter(limit: number = MESSAGE_CODE_POINTS): Splitter {
  let full: Part[] = [];
  let open = NOTHING_OPEN;
  let at = 0;
  let before = "";
  return (text) => {
    if (!text.startsWith(before)) {
      full = [];
      open = NOTHING_OPEN;
      at = 0;
    }
    before = text;
    for (;;) {
      const rest = text.slice(at, at + cutReach(limit) + 1);
      if (rest === "") return [...full];
      const cut = findCut(rest, open, limit);
      const piece = cut === null ? rest : rest.slice(0, cut);
      const shown = renderPart(piece, open, limit, cut !== null);
      const part = { content: shown.content, piece };
      if (cut === null) return [...full, part];
      full.push(part);
      at += piece.length;
      open = shown.open;
    }
  };
}
