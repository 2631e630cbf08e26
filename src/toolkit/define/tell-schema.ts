// Puts zod schemas into JSON Schema. The program that is deployed never does: what it tells models was written before.
import { toJSONSchema } from "zod/v4/core";
import type { Tell } from "./input-schema.ts";

/** What a model gets to see: the schema before defaults and transformations. */
export const tellSchema: Tell = (input) => ({ ...toJSONSchema(input, { io: "input" }) });
