// The lines of a text that comes in pieces, with any line end, as streams of server-sent events have them.

/** Collects pieces and gives the lines that are whole. */
export interface Lines {
  /** The lines that end in this piece, without their line ends; with the last piece also the line that has no end. */
  push(piece: string, isLast: boolean): string[];
  /** The length of the line that has no end yet, in UTF-16 units. */
  openChars(): number;
}

/** Begins a text. A line end that two pieces share is one. */
export function createLines(): Lines {
  /** The line that has no end yet. A long one comes in many pieces, so it is only appended to. */
  let open = "";
  /** The last piece ended with a return: a line feed after it belongs to it. */
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
