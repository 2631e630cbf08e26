// Splits a text that arrives in pieces into lines, with any line end, as in streams of server-sent events.

/** Collects pieces and returns complete lines. */
export interface Lines {
  /** Returns the lines that end in this piece, without their line ends; with the last piece, also the line that has no end. */
  push(piece: string, isLast: boolean): string[];
  /** Returns the length of the line that has no end yet, in UTF-16 units. */
  openChars(): number;
}

/** Begins a text. A line end that is split across two pieces counts once. */
export function createLines(): Lines {
  /** The line that has no end yet. A long one comes in many pieces, so it is only appended to. */
  let open = "";
  /** The last piece ended with a carriage return, so a line feed right after it belongs to the same line end. */
  let afterReturn = false;
  return {
    openChars: () => open.length,
    push(piece, isLast) {
      const text = afterReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
      if (piece !== "") afterReturn = piece.endsWith("\r");
      const lines = text.split(/\r\n|\n|\r/);
      lines[0] = open + lines[0];
      open = lines.pop() ?? "";
      if (!isLast) return lines;
      return open === "" ? lines : [...lines, open];
    },
  };
}
