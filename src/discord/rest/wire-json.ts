// The JSON of a request to Discord. A model's pieces and a tool's text may contain half of a character (an unpaired surrogate), which
// is no Unicode text: it becomes the replacement character here, for every request.

/** Writes a body as JSON. */
export const wireJson = (body: object): string =>
  JSON.stringify(body, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
