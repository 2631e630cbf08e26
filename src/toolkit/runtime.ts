// One tool call from the model's text to one result. Never throws: unknown, malformed, failed, thrown and timed out are all
// results, because a call without a result makes the provider refuse the whole conversation.
import type { ToolRegistry } from "./registry.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

/** How a call ended; the model reads `error`, programs read `status`. */
export type ToolStatus =
  | "ok"
  | "not_found"
  | "invalid_input"
  | "blocked"
  | "interrupted"
  | "timeout"
  | "aborted"
  | "error"
  | "invalid_result";

/** The one result of one call. `data` is JSON-safe. */
export interface ToolResult {
  ok: boolean;
  status: ToolStatus;
  data?: unknown;
  error?: string;
}

/** A call as the loop hands it over: `arguments` is the model's JSON text. */
export interface RuntimeCall {
  name: string;
  arguments: string;
}

/** What the runtime needs from outside: a timer that can be cleared. */
export interface RuntimePorts {
  /** Runs `callback` after `ms` unless the returned function is called first. */
  after: (ms: number, callback: () => void) => () => void;
}

/** Runs calls of the tools of one registry. */
export interface ToolRuntime {
  /**
   * Runs one call within `timeoutMs`. The tool's signal is the context's and the timeout's; a tool that ignores it is
   * abandoned, and what it answers later is dropped.
   */
  execute(call: RuntimeCall, context: ToolContext, timeoutMs: number): Promise<ToolResult>;
}

const MAX_RESULT_CHARS = 20_000;
const MAX_ERROR_CHARS = 500;

/** Makes the runtime over a registry. */
export function createToolRuntime(registry: ToolRegistry, ports: RuntimePorts): ToolRuntime {
  return {
    async execute(call, context, timeoutMs) {
      const tool = registry.get(call.name);
      if (!tool) return failed("not_found", `unknown tool: ${call.name}. Offered: ${namesOf(registry)}`);
      return run(tool, call.arguments, context, timeoutMs, ports);
    },
  };
}

async function run(
  tool: Tool,
  text: string,
  context: ToolContext,
  timeoutMs: number,
  ports: RuntimePorts,
): Promise<ToolResult> {
  const limit = new AbortController();
  const signal = AbortSignal.any([context.signal, limit.signal]);
  let giveUp = (_result: ToolResult) => {};
  const ended = new Promise<ToolResult>((resolve) => {
    giveUp = resolve;
  });
  const onAbort = () => giveUp(failed("aborted", "the turn was ended"));
  context.signal.addEventListener("abort", onAbort);
  if (context.signal.aborted) onAbort();
  const cancelTimer = ports.after(timeoutMs, () => {
    limit.abort();
    giveUp(failed("timeout", `timed out after ${Math.round(timeoutMs / 1000)} s`));
  });
  try {
    return await Promise.race([ended, settled(tool, text, { ...context, signal })]);
  } finally {
    cancelTimer();
    context.signal.removeEventListener("abort", onAbort);
  }
}

/** The tool's own answer as a result; a schema's checks are its code, too. The runtime is one of the five places that catch. */
async function settled(tool: Tool, text: string, context: ToolContext): Promise<ToolResult> {
  try {
    if (context.signal.aborted) return failed("aborted", "the turn was ended");
    const input = readInput(tool, text);
    if (!input.ok) return failed("invalid_input", input.error);
    return normalised(await tool.execute(input.value, context));
  } catch (error) {
    return failed("error", (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS));
  }
}

function normalised(outcome: ToolOutcome): ToolResult {
  if (typeof outcome?.ok !== "boolean" || (!outcome.ok && typeof outcome.error !== "string"))
    return failed("invalid_result", "the tool answered something that is no result");
  const json = jsonOf(outcome.data);
  if (json === null) return failed("invalid_result", "the tool answered data that does not fit JSON");
  const data = outcome.data === undefined ? {} : { data: bounded(json) };
  return outcome.ok
    ? { ok: true, status: "ok", ...data }
    : { ok: false, status: "error", error: outcome.error.slice(0, MAX_RESULT_CHARS), ...data };
}

/** JSON text, or null for what refers to itself or holds a bigint. */
function jsonOf(data: unknown): string | null {
  try {
    return JSON.stringify(data) ?? "null";
  } catch {
    return null;
  }
}

function bounded(json: string): unknown {
  if (json.length <= MAX_RESULT_CHARS) return JSON.parse(json);
  return { cut: `${json.length - MAX_RESULT_CHARS} characters were cut`, text: json.slice(0, MAX_RESULT_CHARS) };
}

function readInput(tool: Tool, text: string): { ok: true; value: unknown } | { ok: false; error: string } {
  const json = parseJson(text.trim() === "" ? "{}" : text);
  if (json === undefined)
    return { ok: false, error: "the arguments are not valid JSON; call again with a JSON object" };
  const parsed = tool.input.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return { ok: false, error: issues.join("; ").slice(0, MAX_ERROR_CHARS) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const failed = (status: ToolStatus, error: string): ToolResult => ({ ok: false, status, error });
const namesOf = (registry: ToolRegistry) =>
  registry
    .list()
    .map((tool) => tool.name)
    .join(", ") || "none";
