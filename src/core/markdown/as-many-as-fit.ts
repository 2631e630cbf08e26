// Shortens lists so that they fit into one Discord message.
import { MESSAGE_CODE_POINTS } from "../limits.ts";
import { codePoints } from "./code-points.ts";

/** Returns the text with as many items as fit into one message, at most `most`. `write` builds the text with that many; with none it must fit. */
export function withAsManyAsFit(most: number, write: (shown: number) => string): string {
  let shown = most;
  while (codePoints(write(shown)) > MESSAGE_CODE_POINTS) shown--;
  return write(shown);
}
