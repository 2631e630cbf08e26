// What people read when a persona does not exist, whether they ask it something or want to change it.
import { cutText } from "../markdown/code-points.ts";

/** Says that a persona does not exist; `known` are the names of those that do. */
export const unknownPersona = ({ name, known }: { name: string; known: readonly string[] }): string =>
  known.length === 0
    ? `There is no persona named ${quoted(name)}. This channel has none yet. If someone manages it, they can use \`/persona create\` to make one.`
    : `There is no persona named ${quoted(name)}. Choose one of: ${known.join(", ")}.`;

/** Writes a persona's name in a sentence. */
export const quoted = (name: string) => `**${cutText(name.replaceAll("`", "'"), 80)}**`;
