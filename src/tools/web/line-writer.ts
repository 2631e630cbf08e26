// Collects pieces of a page into lines of text. Knows about white space, and nothing about HTML.

/**
 * Limits what `since` reads. Links inside links may read the same text many times, so without this limit a hostile page could cost the square of
 * its length.
 */
const MAX_PIECES_SINCE = 20;
const MAX_CHARS_SINCE = 1000;

/** Collects lines. A run of white space becomes one space and empty lines disappear, except in preformatted text. */
export interface LineWriter {
  write(text: string): void;
  /** Starts a new line with this mark, or with the mark that is still waiting for its text. */
  beginLine(mark?: string): void;
  endLine(): void;
  /** Marks where preformatted text begins (1) or ends (-1). It may be nested. */
  preserve(by: 1 | -1): void;
  /** Returns the current position, for `since`. */
  length(): number;
  /** Returns the text written after that position, or its beginning. */
  since(length: number): string;
  text(): string;
}

/** Creates a writer at the start of its first line. */
export function createLineWriter(): LineWriter {
  const pieces: string[] = [];
  let depth = 0;
  let atStart = true;
  let mark = "";
  const breakLine = () => {
    if (!atStart) pieces.push("\n");
    atStart = true;
  };
  return {
    write(text) {
      const shown = depth > 0 ? text.replace(/\r\n?/g, "\n") : text.replace(/\s+/g, " ");
      const said = atStart && depth === 0 ? shown.trimStart() : shown;
      if (said === "") return;
      pieces.push(atStart ? mark + said : said);
      atStart = false;
      mark = "";
    },
    beginLine(next = "") {
      breakLine();
      mark = next || mark;
    },
    endLine() {
      breakLine();
      mark = "";
    },
    preserve(by) {
      depth += by;
    },
    length: () => pieces.length,
    since: (from) =>
      pieces
        .slice(from, from + MAX_PIECES_SINCE)
        .map((piece) => piece.slice(0, MAX_CHARS_SINCE))
        .join(""),
    text() {
      const lines = pieces.join("").split("\n");
      return lines
        .map((line) => line.trimEnd())
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
    },
  };
}
