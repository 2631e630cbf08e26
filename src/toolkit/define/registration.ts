// Checks whether a tool may be registered, and lists every problem in words. A bad tool is our own bug, found when the object is created.
// The only exception is a schema that comes from elsewhere.

import { isJsonObject } from "../read-json.ts";
import { compileInput, type InputSchema } from "./input-schema.ts";
import { MAX_ATTEMPTS, mayCache, mayRetry } from "./repetition.ts";
import { restartProblems } from "./restart-types.ts";
import { namesInRule } from "./rules.ts";
import { tellSchema } from "./tell-schema.ts";
import { isDynamic, type Tool, type ToolCategory, type ToolHints } from "./tool.ts";

/** The longest time limit of one attempt, in milliseconds. */
const MAX_TIMEOUT_MS = 120_000;
/** The most characters of a result: it is stored as one row of at most 1 MiB, and a character may take three bytes. */
const MAX_RESULT_CHARS = 100_000;

/** A tool as its registry stores it. `input` is null if its dynamic schema does not compile; the tool can't be called then. */
export interface Registration {
  tool: Tool;
  input: InputSchema | null;
  problems: string[];
  /** Why the tool is disabled, or null. */
  disabled: string | null;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const CATEGORIES: readonly ToolCategory[] = ["safe", "async", "terminal", "dangerous"];
const HINTS: readonly (keyof ToolHints)[] = ["readOnly", "destructive", "idempotent", "openWorld"];
const SCOPES = ["turn", "session", "persistent"];

/** Cached, because the objects of one isolate share their tools, and a schema is expensive to compile. */
const registrations = new WeakMap<Tool, Registration>();

/** Checks a tool and compiles its schema. Never throws; checking it again returns the same registration. */
export function checkRegistration(tool: Tool): Registration {
  const known = registrations.get(tool);
  if (known) return known;
  const compiled = compileInput(tool, tellSchema);
  const input = compiled.ok ? compiled.input : null;
  const fault = compiled.ok ? null : compiled.error;
  const isForeign = isDynamic(tool);
  const registration: Registration = {
    tool,
    input,
    problems: [
      ...describedProblems(tool),
      ...limitProblems(tool),
      ...cacheProblems(tool),
      ...restartProblems(tool),
      ...(input ? inputProblems(tool, input) : []),
      ...(fault === null || isForeign ? [] : [`tool ${tool.name} has an unusable schema: ${fault}`]),
    ],
    disabled: isForeign ? fault : null,
  };
  registrations.set(tool, registration);
  return registration;
}

/** Returns the problems that apply: each check says whether something is wrong, and how to put that. */
const problemsIn = (checks: readonly (readonly [isWrong: boolean, problem: string])[]): string[] =>
  checks.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));

function describedProblems({ name, description, category, hints, execute }: Tool): string[] {
  const unsaid = HINTS.filter((hint) => typeof hints?.[hint] !== "boolean");
  return problemsIn([
    [!NAME.test(name), `bad tool name "${name}"`],
    [typeof description !== "string" || description.trim() === "", `tool ${name} has no description`],
    [!CATEGORIES.includes(category), `tool ${name} has no category`],
    [unsaid.length > 0, `tool ${name} does not say whether it is ${unsaid.join(", ")}`],
    [category === "safe" && hints?.readOnly !== true, `tool ${name} is safe but not read-only`],
    [Boolean(hints?.readOnly && hints.destructive), `tool ${name} is read-only and destructive`],
    [typeof execute !== "function", `tool ${name} can't be executed`],
  ]);
}

function limitProblems(tool: Tool): string[] {
  const { name, timeoutMs = 1, retry, maxResultChars = 1 } = tool;
  const attempts = retry?.attempts ?? 1;
  const isTimed = timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
  const isCounted = Number.isInteger(attempts) && attempts >= 1 && attempts <= MAX_ATTEMPTS;
  return problemsIn([
    [!isTimed, `tool ${name} has a timeout outside 1 to ${MAX_TIMEOUT_MS} ms`],
    [!isCounted, `tool ${name} has attempts outside 1 to ${MAX_ATTEMPTS}`],
    [attempts > 1 && !mayRetry(tool), `tool ${name} retries but may not run twice`],
    [!(maxResultChars > 0), `tool ${name} leaves no room for a result`],
    [!(maxResultChars <= MAX_RESULT_CHARS), `tool ${name} has results of more than ${MAX_RESULT_CHARS} characters`],
  ]);
}

function cacheProblems(tool: Tool): string[] {
  const { name, cache } = tool;
  if (!cache) return [];
  const { scope, ttlSeconds } = cache;
  return problemsIn([
    [!mayCache(tool), `tool ${name} caches but does more than read`],
    [!SCOPES.includes(scope), `tool ${name} has an unknown cache scope`],
    [ttlSeconds !== undefined && !(ttlSeconds > 0), `tool ${name} has no positive cache lifetime`],
    [scope === "persistent" && ttlSeconds === undefined, `tool ${name} caches in storage forever`],
  ]);
}

function inputProblems({ name, rules = [] }: Tool, { parameters }: InputSchema): string[] {
  if (parameters.type !== "object") return [`tool ${name} does not take an object`];
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {};
  const strangers = rules.flatMap(namesInRule).filter((one) => !Object.hasOwn(properties, one));
  const hasDefault = (one: string) => isJsonObject(properties[one]) && properties[one].default !== undefined;
  const always = rules.flatMap((rule) =>
    rule.kind === "mutex" || rule.kind === "exactlyOne" ? rule.of.filter(hasDefault) : [],
  );
  return [
    ...strangers.map((one) => `tool ${name} has a rule about "${one}", which is not a parameter`),
    ...always.map((one) => `tool ${name} excludes others by "${one}", which always has its default`),
  ];
}
