// Finds where a JSON object ends, in a text that may arrive in pieces.

/** Returns where the first object in the text ends, judging by brackets and strings alone; -1 if it is still open. */
export const endOfObject = (text: string): number => createObjectScanner()(text);

/**
 * Makes a scanner that looks for the end of the first object in a text that arrives in pieces, judging by brackets and strings alone. It
 * returns the position after the object in the current piece, or -1 while it is open.
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
