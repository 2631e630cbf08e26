// Where a JSON object ends, in a text that may come in pieces.

/** Where the first object in the text ends, by its brackets alone; -1 while it is open. */
export const endOfObject = (text: string): number => createObjectScanner()(text);

/**
 * Looks for the end of the first object in a text that comes in pieces, by its brackets alone: the place after it in the present
 * piece, or -1 while it is open.
 */
export function createObjectScanner(): (piece: string) => number {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at];
      if (isEscaped) isEscaped = false;
      else if (depth === 0 && char !== "{") continue;
      else if (isText && char === "\\") isEscaped = true;
      else if (char === '"') isText = !isText;
      else if (!isText && char === "{") depth++;
      else if (!isText && char === "}" && --depth === 0) return at + 1;
    }
    return -1;
  };
}
