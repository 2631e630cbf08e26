// Reads a call, in any of the forms that reach the runtime, into one form. Refuses nothing: an unreadable field becomes empty.
import { isJsonObject } from "../read-json.ts";

/**
 * A call as a caller passes it. `arguments` is the model's JSON text or an object. `input` and `parameters` mean the same as `arguments`, `id`
 * the same as `callId`, `tool` the same as `name`.
 */
export interface RuntimeCall {
  callId?: string | null;
  id?: string | null;
  name?: string;
  tool?: string;
  arguments?: unknown;
  input?: unknown;
  parameters?: unknown;
  /** Why the model makes the call, in its own words; for the log. */
  reasoning?: string;
  /** The model's answer was cut before the arguments were complete. */
  truncated?: boolean;
}

/** A call with one name for each field. */
export interface ReadCall {
  callId: string | null;
  name: string;
  given: unknown;
  reasoning: string | null;
  truncated: boolean;
  repaired: string[];
}

const FIELDS: ReadonlySet<string> = new Set([
  "callId",
  "id",
  "name",
  "tool",
  "arguments",
  "input",
  "parameters",
  "reasoning",
  "truncated",
  "type",
]);

/** Reads the fields of a call. If it has no arguments, the other fields count as its parameters. */
export function readCall(call: unknown): ReadCall {
  const fields = isJsonObject(call) ? call : {};
  const given = fields.arguments ?? fields.input ?? fields.parameters;
  const strays = Object.entries(fields).filter(([name]) => !FIELDS.has(name));
  const hasStrays = isEmpty(given) && strays.length > 0;
  return {
    callId: asText(fields.callId) ?? asText(fields.id),
    name: asText(fields.name) ?? asText(fields.tool) ?? "",
    given: hasStrays ? Object.fromEntries(strays) : given,
    reasoning: asText(fields.reasoning),
    truncated: fields.truncated === true,
    repaired: hasStrays ? ["the parameters were at the top of the call"] : [],
  };
}

const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

function isEmpty(given: unknown): boolean {
  if (given === null || given === undefined) return true;
  if (typeof given === "string") return given.trim() === "" || given.trim() === "{}";
  return isJsonObject(given) && Object.keys(given).length === 0;
}
