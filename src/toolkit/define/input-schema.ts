// Compiles a tool's input schema into what models get, a check that finds every problem, and ways to look into the schema. The tools that
// ship are checked by zod. A schema known only at run time is checked by an interpreter, because a Worker may not generate code.
import { type $ZodType, safeParse } from "zod/v4/core";
import { isJsonObject } from "../read-json.ts";
import { errorMessage } from "../tool-result.ts";
import { createCheck, type Fault, type Stage } from "./check-value.ts";
import { issueText } from "./issue-text.ts";
import { isQuickPattern } from "./pattern-cost.ts";
import { readParts, type SchemaParts } from "./schema-references.ts";
import { isDynamic, type JsonSchema, type Tool } from "./tool.ts";

/** One problem with the arguments. `path` is dotted, and empty for the arguments as a whole. */
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
  /** Whether the value fits this part of the schema without coercion. */
  fits(part: JsonSchema, value: unknown): boolean;
  /** Returns the part itself, or the schema that its `$ref` names. */
  resolve(part: unknown): JsonSchema;
}

/** Converts a zod schema to JSON Schema. May throw. */
export type Tell = (input: $ZodType) => JsonSchema;

/** Compiles a tool's schema, or returns why that is impossible. Never throws. */
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

/** Finds faults that a check would hit only when a value reaches them: a bad pattern, or a reference to nothing. */
function assertSound(part: JsonSchema, pointedBy: SchemaParts["pointedBy"]): void {
  // Read in the lenient way of browsers, because many schemas contain escapes that JSON Schema's strict reading refuses. Such patterns, like
  // slow ones, are left to the tool's own check.
  if (part.pattern !== undefined) new RegExp(String(part.pattern));
  for (const pattern of Object.keys(part.patternProperties ?? {})) {
    new RegExp(pattern, "u");
    // This pattern can't just be ignored: which schema applies to a name would then be unknown.
    if (!isQuickPattern(pattern)) throw new Error(`the pattern ${JSON.stringify(pattern)} for names may take too long`);
  }
  if (part.$ref !== undefined && (pointedBy(part) ?? null) === null)
    throw new Error(`the schema refers to "${part.$ref}", which does not exist`);
}

/** `isForeign`: all checks of one call share one step limit, which starts with the check of its arguments. */
function openSchema(schema: JsonSchema, isDraft7: boolean, isForeign: boolean) {
  const { parts, pointedBy } = readParts(schema);
  const check = createCheck(pointedBy, isDraft7);
  const fits = (part: JsonSchema, value: unknown) => check(part, value, isForeign).length === 0;
  const resolve = (part: unknown): JsonSchema => {
    let found = part;
    // Bounded, because references may form a cycle.
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

/** The most faults that are reported. Each may quote the schema or the value, so a thousand of them would repeat it a thousand times. */
const MAX_REPORTED = 100;

function checkDynamic(faults: readonly Fault[], value: unknown): Checked {
  if (faults.length === 0) return { ok: true, value };
  const seen = new Set<string>();
  const problems = faults.slice(0, MAX_REPORTED).map((fault): Problem => {
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
