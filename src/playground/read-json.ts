// Reads what a test or the page sends to /local. Anything that does not have the expected shape is refused with 400.
import type { HonoRequest } from "hono";
import { type infer as Infer, parse } from "zod/mini";
import type { $ZodType } from "zod/v4/core";

/** Thrown for a body that is not JSON. */
export class NotJson extends Error {
  override message = "The body is not JSON.";
}

/** Reads a JSON body of settings to change, and drops those that are undefined. */
export async function readGiven<S extends $ZodType<object>>(request: HonoRequest, schema: S): Promise<Infer<S>> {
  const given = Object.entries(await readJson(request, schema)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Infer<S>;
}

/** Reads a JSON body of the given shape. An absent body counts as `{}`. Throws NotJson or a $ZodError. */
export async function readJson<S extends $ZodType>(request: HonoRequest, schema: S): Promise<Infer<S>> {
  const text = await request.text();
  try {
    return parse(schema, text === "" ? {} : JSON.parse(text));
  } catch (error) {
    throw error instanceof SyntaxError ? new NotJson() : error;
  }
}
