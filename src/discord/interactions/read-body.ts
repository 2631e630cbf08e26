// Reads the JSON of a verified body.

/**
 * The value, or undefined where the body is no JSON. Half of a character can only be written as an escape; it is replaced here, so that no
 * later text contains one.
 */
export function parseJson(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  const wellFormed = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  try {
    return JSON.parse(text, /\\u[dD][89a-fA-F]/.test(text) ? wellFormed : undefined);
  } catch {
    return undefined;
  }
}
