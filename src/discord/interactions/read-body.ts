// Reads the JSON of a verified body.
import { parseJson, wellFormed } from "../../core/json.ts";

/**
 * The value, or undefined where the body is no JSON. Half of a character can only be written as an escape; it is replaced here, so that no
 * later text contains one.
 */
export function readBody(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  return parseJson(text, /\\u[dD][89a-fA-F]/.test(text) ? wellFormed : undefined);
}
