// Reads the JSON of a verified body.
import { parseJson, wellFormed } from "../../core/json.ts";

/** Drops nulls and replaces halves of characters. Discord leaves out missing fields; a program in its place may write null instead. */
export const given: typeof wellFormed = (key, value) => (value === null ? undefined : wellFormed(key, value));

/**
 * Returns the value, or undefined if the body isn't JSON. Half of a character (an unpaired surrogate) can only be written as an escape; it is
 * replaced here, so that no later text contains one. `revive` looks at every value, which takes ten times as long.
 */
export function readBody(body: Uint8Array, revive?: typeof given): unknown {
  const text = new TextDecoder().decode(body);
  return parseJson(text, revive ?? (/\\u[dD][89a-fA-F]/.test(text) ? wellFormed : undefined));
}
