// Lists that have to fit into one message of Discord.
import { MESSAGE_CODE_POINTS } from "../limits.ts";
import { codePoints } from "./code-points.ts";

/** The text with as many things as fit into one message, at most `most`. `write`: the text with so many; with none it fits. */
export function withAsManyAsFit(most: number, write: (shown: number) => string): string {
  let shown = most;
  while (codePoints(write(shown)) > MESSAGE_CODE_POINTS) shown--;
  return write(shown);
}
