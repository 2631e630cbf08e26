// Makes a schema strict: Discord's own spec lets unknown fields pass, but a misspelled field must not. Also widens the one field where the
// spec is narrower than Discord. Does not know which schema belongs to which route.
/// <reference path="./spec.d.ts" />
import { clone, lazy, never, nullish, regex, string } from "zod/mini";
import type { $ZodType, $ZodTypes } from "zod/v4/core";

// Permission bits are sent as a string of digits, because they outgrew a JSON number; the spec still says number.
const PERMISSION_BITS = nullish(string().check(regex(/^\d+$/)));
const PERMISSION_FIELDS = new Set(["default_member_permissions", "permissions"]);

/** Copies `schema` so that every object refuses fields that it does not name. Recursive schemas stay lazy. */
export function closed(schema: $ZodType): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return clone(schema, { ...def, shape: closedShape(def.shape), catchall: never() } as typeof def);
    case "array":
      return clone(schema, { ...def, element: closed(def.element) } as typeof def);
    case "record":
      return clone(schema, { ...def, valueType: closed(def.valueType) } as typeof def);
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
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      PERMISSION_FIELDS.has(name) ? PERMISSION_BITS : closed(schema),
    ]),
  );
}
