// Compiles a tool's input schema: what models get, a check that finds every problem, and ways to look into the schema. zod checks
// the tools that ship. A schema known only at run time is checked by an interpreter, because a Worker may not generate code.
import { dereference, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { type $ZodType, safeParse } from "zod/v4/core";
import { isJsonObject } from "../read-json.ts";
import { errorMessage } from "../tool-result.ts";
import { issueText } from "./issue-text.ts";
import { isQuickPattern } from "./pattern-cost.ts";
import { pointedAt } from "./schema-references.ts";
import { isDynamic, type JsonSchema, type Tool } from "./tool.ts";

/** The kind of a problem, in the order in which problems are reported. */
export type Stage = "required" | "type" | "constraint";

/** One problem with the arguments. `path` is dotted; empty for the whole. */
export interface Problem {
  stage: Stage;
  path: string;
  text: string;
}

/** The checked arguments, or every problem with them. */
export type Checked = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/** A compiled input schema. `check` may throw what a tool's own refinement throws. */
export interface InputSchema {
  /** JSON Schema without `$schema`, which models do not read. */
  parameters: JsonSchema;
  check(value: unknown): Checked;
  /** Does the value fit this part of the schema without coercion? */
  fits(part: JsonSchema, value: unknown): boolean;
  /** The part itself, or the schema that its `$ref` names. */
  resolve(part: unknown): JsonSchema;
}

/** Puts a zod schema into JSON Schema. May throw. */
export type Tell = (input: $ZodType) => JsonSchema;

/** Compiles a tool's schema, or returns why it can't. Never throws. */
export function compileInput(
  tool: Pick<Tool, "input">,
  tell: Tell,
): { ok: true; input: InputSchema } | { ok: false; error: string } {
  try {
    if (isDynamic(tool)) return { ok: true, input: compileDynamic(tool.input) };
    const zod = tool.input as $ZodType;
    const { $schema: _dialect, ...parameters } = tell(zod);
    return {
      ok: true,
      input: { ...buildChecks(parameters, "2020-12"), parameters, check: (value) => checkZod(zod, value) },
    };
  } catch (error) {
    return { ok: false, error: errorMessage(error) };
  }
}

function compileDynamic(schema: JsonSchema): InputSchema {
  const draft: SchemaDraft = /draft-0?7/.test(String(schema.$schema)) ? "7" : "2020-12";
  // The validator writes notes into its schema, so it gets a copy.
  const own = structuredClone(schema) as Schema;
  assertSound(own);
  leaveSlowPatterns(own);
  const validator = new Validator(own, draft, false);
  const { $schema: _dialect, ...parameters } = schema;
  const parts = buildChecks(parameters, draft);
  return { ...parts, parameters, check: (value) => checkDynamic(validator, parts.resolve, parameters, value) };
}

/** Finds faults that the validator would meet only when a value reaches them: a bad pattern, a reference to nothing. */
function assertSound(schema: Schema): void {
  const known = dereference(schema);
  for (const part of Object.values(known)) {
    if (typeof part === "boolean") continue;
    // As a browser reads it: many write escapes that the validator's stricter reading refuses. Those are left to the tool, as slow ones are.
    if (part.pattern !== undefined) new RegExp(part.pattern);
    for (const pattern of Object.keys(part.patternProperties ?? {})) {
      new RegExp(pattern, "u");
      // Without this pattern it would be open which schema a name has, so it can't just be left out.
      if (!isQuickPattern(pattern))
        throw new Error(`the pattern ${JSON.stringify(pattern)} of names may take too long`);
    }
    if (part.$ref !== undefined && !known[part.__absolute_ref__ ?? part.$ref])
      throw new Error(`the schema refers to "${part.$ref}", which is not there`);
  }
}

/**
 * Removes patterns that could take too long to search or that the validator can't read. Removes the validator's format `url`, too: it is
 * not one of JSON Schema's, takes twice as long with each letter of a host, and knows no host without a dot. Models still see all of them,
 * and the tool checks them itself.
 */
function leaveSlowPatterns(schema: Schema): void {
  for (const part of Object.values(dereference(schema))) {
    if (typeof part === "boolean") continue;
    if (part.pattern !== undefined && !(isStrictPattern(String(part.pattern)) && isQuickPattern(String(part.pattern))))
      delete part.pattern;
    if (part.format === "url") delete part.format;
  }
}

function isStrictPattern(pattern: string): boolean {
  // There is no other way to ask: an unreadable one throws.
  try {
    return Boolean(new RegExp(pattern, "u"));
  } catch {
    return false;
  }
}

function buildChecks(root: JsonSchema, draft: SchemaDraft): Pick<InputSchema, "fits" | "resolve"> {
  const shared = { ...("$defs" in root ? { $defs: root.$defs } : {}), definitions: root.definitions ?? {} };
  const resolve = (part: unknown): JsonSchema => {
    let found = part;
    // Bounded, because references may form a circle.
    for (let hops = 0; hops < 8 && isJsonObject(found) && typeof found.$ref === "string"; hops++)
      found = pointedAt(root, found.$ref);
    return isJsonObject(found) ? found : {};
  };
  // A list asks the same of each of its items.
  const validators = new WeakMap<JsonSchema, Validator>();
  const buildValidator = (part: JsonSchema): Validator => {
    const own = structuredClone({ ...part, ...shared }) as Schema;
    leaveSlowPatterns(own);
    const made = new Validator(own, draft);
    validators.set(part, made);
    return made;
  };
  const fits = (part: JsonSchema, value: unknown) => {
    try {
      return (validators.get(part) ?? buildValidator(part)).validate(value).valid;
    } catch {
      return false;
    }
  };
  return { fits, resolve };
}

function checkZod(schema: $ZodType, value: unknown): Checked {
  const parsed = safeParse(schema, value, { error: issueText });
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.map(({ code, path, message }): Problem => {
    const got = at(value, path);
    const place = path.join(".");
    if (code === "invalid_type" && (got === undefined || got === null))
      return { stage: "required", path: place, text: "is required" };
    const stage = code === "invalid_type" || code === "invalid_union" ? "type" : "constraint";
    return { stage, path: place, text: `${message}${gotText(got)}` };
  });
  return { ok: false, problems };
}

/** Keywords that only say that something inside is wrong; the problem itself is reported there. */
const COMPOSITE = new Set([
  "properties",
  "additionalProperties",
  "patternProperties",
  "items",
  "prefixItems",
  "$ref",
  "allOf",
]);

/**
 * The most of the validator's reports that are told. Each may quote the schema or the value, and a thousand reports would do so a thousand
 * times.
 */
const MAX_TOLD = 100;

function checkDynamic(
  validator: Validator,
  resolve: InputSchema["resolve"],
  root: JsonSchema,
  value: unknown,
): Checked {
  const { valid, errors } = validator.validate(value);
  if (valid) return { ok: true, value };
  const seen = new Set<string>();
  // Problems inside a choice belong to single branches. The problem of the choice itself says enough.
  const told = errors.filter(
    ({ keyword, keywordLocation }) => !(COMPOSITE.has(keyword) || /\/(?:anyOf|oneOf)\/\d+\//.test(keywordLocation)),
  );
  const problems = told.slice(0, MAX_TOLD).flatMap(({ keyword, instanceLocation, error }): Problem[] => {
    const names = instanceLocation.split("/").slice(1).map(decodeURIComponent);
    const path = names.join(".");
    const got = at(value, names);
    if (keyword === "required") {
      // The validator reports one missing field at a time; the first report becomes the full list.
      if (seen.has(instanceLocation)) return [];
      const missing = findMissing(resolve, root, names, got);
      if (missing.length > 0) {
        seen.add(instanceLocation);
        return missing;
      }
    }
    const stage = keyword === "type" || keyword === "anyOf" || keyword === "oneOf" ? "type" : "constraint";
    return [{ stage, path, text: `${error}${gotText(got)}` }];
  });
  return { ok: false, problems: problems.filter(({ path, text }) => seen.size < seen.add(`${path} ${text}`).size) };
}

function findMissing(
  resolve: InputSchema["resolve"],
  root: JsonSchema,
  names: readonly string[],
  got: unknown,
): Problem[] {
  const part = names.reduce((schema, name) => {
    const inner = isJsonObject(schema.properties) ? schema.properties[name] : schema.items;
    return resolve(inner);
  }, resolve(root));
  const required = Array.isArray(part.required) ? part.required.map(String) : [];
  const missing = required.filter((name) => !isJsonObject(got) || !Object.hasOwn(got, name));
  return missing.map((name) => ({
    stage: "required",
    path: [...names, name].join("."),
    text: "is required",
  }));
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

const MAX_GOT_CHARS = 60;

function gotText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return ` (got ${text.length > MAX_GOT_CHARS ? `${text.slice(0, MAX_GOT_CHARS)}…` : text})`;
}
