// Compiles a tool's input schema: what models get, a check that finds every problem, and ways to look into the schema. zod checks
// the tools that ship. A schema known only at run time is checked by an interpreter, because a Worker may not generate code.
import { type $ZodType, safeParse } from "zod/v4/core";
import { isJsonObject } from "../read-json.ts";
import { errorMessage } from "../tool-result.ts";
import { createCheck, type Fault, type Stage } from "./check-value.ts";
import { issueText } from "./issue-text.ts";
import { isQuickPattern } from "./pattern-cost.ts";
import { readParts, type SchemaParts } from "./schema-references.ts";
import { isDynamic, type JsonSchema, type Tool } from "./tool.ts";

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
    const { fits, resolve } = openSchema(parameters, false, false);
    return { ok: true, input: { parameters, check: (value) => checkZod(zod, value), fits, resolve } };
  } catch (error) {
    return { ok: false, error: errorMessage(error) };
  }
}

function compileDynamic(schema: JsonSchema): InputSchema {
  const { $schema, ...parameters } = schema;
  const { parts, pointedBy, check, fits, resolve } = openSchema(schema, /draft-0?7/.test(String($schema)), true);
  for (const part of parts) assertSound(part, pointedBy);
  return { parameters, check: (value) => checkDynamic(check(schema, value), value), fits, resolve };
}

/** Finds faults that a check would meet only when a value reaches them: a bad pattern, a reference to nothing. */
function assertSound(part: JsonSchema, pointedBy: SchemaParts["pointedBy"]): void {
  // As a browser reads it: many write escapes that JSON Schema's stricter reading refuses. Those are left to the tool, as slow ones are.
  if (part.pattern !== undefined) new RegExp(String(part.pattern));
  for (const pattern of Object.keys(part.patternProperties ?? {})) {
    new RegExp(pattern, "u");
    // Without this pattern it would be open which schema a name has, so it can't just be left out.
    if (!isQuickPattern(pattern)) throw new Error(`the pattern ${JSON.stringify(pattern)} of names may take too long`);
  }
  if (part.$ref !== undefined && (pointedBy(part) ?? null) === null)
    throw new Error(`the schema refers to "${part.$ref}", which is not there`);
}

/** `isForeign`: all that a call is looked at has one limit, which begins with its check. */
function openSchema(schema: JsonSchema, isDraft7: boolean, isForeign: boolean) {
  const { parts, pointedBy } = readParts(schema);
  const check = createCheck(pointedBy, isDraft7);
  const fits = (part: JsonSchema, value: unknown) => check(part, value, isForeign).length === 0;
  const resolve = (part: unknown): JsonSchema => {
    let found = part;
    // Bounded, because references may form a circle.
    for (let hops = 0; hops < 8 && isJsonObject(found) && typeof found.$ref === "string"; hops++)
      found = pointedBy(found);
    return isJsonObject(found) ? found : {};
  };
  return { parts, pointedBy, check, fits, resolve };
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

/** The most faults that are told: each may quote the schema or the value, which a thousand of them would do a thousand times. */
const MAX_TOLD = 100;

function checkDynamic(faults: readonly Fault[], value: unknown): Checked {
  if (faults.length === 0) return { ok: true, value };
  const seen = new Set<string>();
  const problems = faults.slice(0, MAX_TOLD).map((fault): Problem => {
    const { stage, path, text } = fault;
    return { stage, path: path.join("."), text: "got" in fault ? `${text}${gotText(fault.got)}` : text };
  });
  return { ok: false, problems: problems.filter(({ path, text }) => seen.size < seen.add(`${path} ${text}`).size) };
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

const MAX_GOT_CHARS = 60;

function gotText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return ` (got ${text.length > MAX_GOT_CHARS ? `${text.slice(0, MAX_GOT_CHARS)}…` : text})`;
}
