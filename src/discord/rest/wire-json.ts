// Writes the JSON of a request to Discord. A model's chunks and a tool's text may contain half of a character (an unpaired surrogate), which
// is not valid Unicode: it becomes the replacement character here, for every request.
import { wellFormed } from "../../core/json.ts";

/** Writes a body as JSON. */
export const wireJson = (body: object): string => JSON.stringify(body, wellFormed);
