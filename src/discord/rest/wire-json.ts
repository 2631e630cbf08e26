// The JSON of a request to Discord. A model's pieces and a tool's text may contain half of a character (an unpaired surrogate), which
// is no Unicode text: it becomes the replacement character here, for every request.
import { wellFormed } from "../../core/json.ts";

/** Writes a body as JSON. */
export const wireJson = (body: object): string => JSON.stringify(body, wellFormed);
