// Reads the JSON of a verified body.
import { parseJson, wellFormed } from "../../core/json.ts";

/** Leaves out what is null, and replaces half of a character. Discord leaves out what is missing; a program in its place may write null. */
export const given: typeof wellFormed = (key, value) => (value === null ? undefined : wellFormed(key, value));

/**
 * The value, or undefined where the body is no JSON. Half of a character can only be written as an escape; it is replaced here, so that no
 * later text contains one. `revive` looks at every value, which takes ten times as long.
 */
export function readBody(body: Uint8Array, revive?: typeof given): unknown {
  const text = new TextDecoder().decode(body);
  return parseJson(text, revive ?? (/\\u[dD][89a-fA-F]/.test(text) ? wellFormed : undefined));
}
