// Converts zod schemas to JSON Schema. The deployed program never does this: what models read was written at build time.
import { toJSONSchema } from "zod/v4/core";
import type { Tell } from "./input-schema.ts";

/** Returns what a model sees: the schema before defaults and transformations. */
export const tellSchema: Tell = (input) => ({ ...toJSONSchema(input, { io: "input" }) });
