// Closes a schema: Discord's own spec accepts unknown fields, but a misspelled field must not pass. Also corrects the two points
// where the spec is narrower than Discord. Does not know which schema belongs to which route.
/// <reference path="./spec.d.ts" />
import { SnowflakeTypeSchema } from "discord-api-spec/zod";
import { clone, int, lazy, never, nullish, regex, string, union } from "zod/mini";
import type { $ZodType, $ZodTypes } from "zod/v4/core";

// Permission bits travel as a string of digits, because they outgrew a JSON number; the spec still says number.
const PERMISSION_BITS = nullish(string().check(regex(/^\d+$/)));
// The docs number new attachments with the n of files[n].
const ATTACHMENT_ID = union([SnowflakeTypeSchema, int()]);

/** A copy of `schema` in which every object refuses fields that it does not name. Recursive schemas stay lazy. */
export function closed(schema: $ZodType): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return clone(schema, { ...def, shape: closedShape(def.shape), catchall: never() } as typeof def);
    case "array":
      return clone(schema, { ...def, element: closed(def.element) } as typeof def);
    case "union":
      return clone(schema, { ...def, options: def.options.map(closed) } as typeof def);
    case "optional":
    case "nullable":
      return clone(schema, { ...def, innerType: closed(def.innerType) } as typeof def);
    case "lazy":
      return lazy(() => closed(def.getter()));
    default:
      return schema;
  }
}

function closedShape(shape: Readonly<Record<string, $ZodType>>): Record<string, $ZodType> {
  const isAttachment = "filename" in shape && "waveform" in shape;
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      if (name === "default_member_permissions") return [name, PERMISSION_BITS];
      if (name === "id" && isAttachment) return [name, ATTACHMENT_ID];
      return [name, closed(schema)];
    }),
  );
}
