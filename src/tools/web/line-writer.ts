// Text in lines out of pieces of a page. Knows white space and nothing of HTML.

/** One text may be asked for again and again, by links within links; more of it would cost a hostile page's length squared. */
const MAX_PIECES_SINCE = 20;
const MAX_CHARS_SINCE = 1000;

/** Collects lines: runs of white space are one blank, empty lines vanish, but within preformatted text all stays as it is. */
export interface LineWriter {
  write(text: string): void;
  /** The next text begins a line, with this mark or the one that still waits for its text. */
  beginLine(mark?: string): void;
  endLine(): void;
  /** Preformatted text begins (1) or ends (-1); it nests. */
  preserve(by: 1 | -1): void;
  /** A place in the text, for `since`. */
  length(): number;
  /** What was written after that place, or the beginning of it. */
  since(length: number): string;
  text(): string;
}

/** A writer at the start of its first line. */
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
