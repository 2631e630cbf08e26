// Turns one tool call, in whatever form a model wrote it, into one result. Never throws: unknown, malformed, refused, failed,
// thrown and timed out are all results, because a call without a result makes the provider refuse the whole conversation.
import { canonicalJson } from "../../core/transcript/canonical.ts";
import { missingFor, servicesFor } from "../define/availability.ts";
import type { ToolRegistry, ToolSchema } from "../define/registry.ts";
import type { Tool } from "../define/tool.ts";
import { readArguments, truncatedInput } from "../intake/arguments.ts";
import { callIdFrom, type ReadCall, type RuntimeCall, readCall } from "../intake/call.ts";
import { type ResolvedName, resolveToolName } from "../intake/tool-name.ts";
import { validate } from "../intake/validation.ts";
import { isJsonObject } from "../read-json.ts";
import { type ExecutedResult, refused, type ToolResult } from "../tool-result.ts";
import { approvalRefusal, describeCallForApproval, needsApproval } from "./call-approval.ts";
import { buildCallContext, type CallContext } from "./call-context.ts";
import { type CallTrail, metaOf, openTrail } from "./call-trail.ts";
import { jsonCopy } from "./json-copy.ts";
import { createCallRunner, endedResult, type RunCall } from "./run-call.ts";
import type { CheckedCall, PlatformPorts, RuntimePorts, TurnPorts } from "./runtime-ports.ts";
import { createScrubber, type Scrubber } from "./scrub.ts";
import { completePorts } from "./system.ts";
import { thrownResult } from "./tool-outcome.ts";

export type { ToolResult, ToolStatus } from "../tool-result.ts";

/** The limit of one call with all its attempts, if the caller sets none. */
const CALL_TIMEOUT_MS = 60_000;
const MAX_NAME_CHARS = 128;
const MAX_ISSUE_CHARS = 1000;
/** Notes about one call's arguments: arguments of 64 KiB can have thousands of faults, and the model reads each note. */
const MAX_NOTES = 20;
const MAX_NOTE_CHARS = 300;

/** Makes the runtime of one turn; see the class. */
export const createToolRuntime = (registry: ToolRegistry, ports: RuntimePorts = {}): ToolRuntime =>
  new ToolRuntime(registry, ports);

/** Runs calls of the tools of one registry. One per turn; equal cacheable calls in flight share one run. */
export class ToolRuntime {
  readonly #registry: ToolRegistry;
  readonly #platform: PlatformPorts;
  readonly #turn: TurnPorts;
  readonly #scrub: Scrubber;
  readonly #run: RunCall;

  constructor(registry: ToolRegistry, ports: RuntimePorts = {}) {
    this.#registry = registry;
    this.#turn = ports;
    this.#platform = completePorts(ports);
    this.#scrub = createScrubber(ports.secrets);
    this.#run = createCallRunner(this.#platform, this.#turn, this.#scrub);
  }

  /** The tool that a call of this name reaches, also under a variant of the name; null for none. */
  toolFor(name: string): Tool | null {
    const resolved = this.#resolve(name);
    return resolved.found ? this.#registry.get(resolved.name) : null;
  }

  /** Every tool's name, offered or not. */
  names(): readonly string[] {
    return this.#registry.list().map((tool) => tool.name);
  }

  /** The tools that have what they need here, in the form that models get. */
  schemas(): readonly ToolSchema[] {
    return this.#registry.schemas().filter(({ name }) => this.#missing(this.#registry.get(name)).length === 0);
  }

  /**
   * Runs one call; `timeoutMs` covers all attempts. Never throws. The tool's signal fires with the context's signal or a limit. A
   * tool that ignores it is abandoned, and its later answer is dropped.
   */
  async execute(call: RuntimeCall, context: CallContext = {}, timeoutMs = CALL_TIMEOUT_MS): Promise<ExecutedResult> {
    const { clock } = this.#platform;
    const read = readCall(call);
    const resolved = this.#resolve(read.name);
    const tool = resolved.found ? resolved.name : read.name.slice(0, MAX_NAME_CHARS);
    const trail = openTrail(read.callId, tool, clock(), read.repaired);
    const result = await this.#answer(read, resolved, context, timeoutMs, trail).catch((error: unknown) => {
      trail.isFault = true;
      return thrownResult(error, this.#scrub);
    });
    const warnings = limited([...trail.repaired, ...trail.warnings, ...(result.warnings ?? [])]);
    return { ...result, ...(warnings.length > 0 ? { warnings } : {}), meta: metaOf(trail, clock()) };
  }

  async #answer(
    read: ReadCall,
    resolved: ResolvedName,
    given: CallContext,
    timeoutMs: number,
    trail: CallTrail,
  ): Promise<ToolResult> {
    const name = resolved.found ? resolved.name : read.name.slice(0, MAX_NAME_CHARS);
    const tool = this.#registry.get(name);
    const input = this.#registry.inputFor(name);
    const context = buildCallContext(given, callIdFrom(read.callId, name, 0, 0), this.#platform, this.#scrub);
    const args = tool && input ? readArguments(read.given, rulesFor(tool, input.parameters.properties)) : null;
    const reasoning = read.reasoning ?? (args?.ok ? args.reasoning : null);
    context.log(`Assistant decision: ${name} - ${this.#scrub.text(reasoning ?? "no reason given")}`);

    if (!tool || !input || !args) return this.#notFound(name, resolved);
    if (resolved.found && !resolved.isExact)
      trail.repaired.push(`${JSON.stringify(read.name.slice(0, MAX_NAME_CHARS))} was taken for ${name}`);
    if (read.truncated) return truncatedInput();
    if (!args.ok) return args.result;
    trail.repaired.push(...args.repaired);
    const checked = validate(tool, input, args.value);
    trail.warnings.push(...checked.warnings);
    if (!checked.valid)
      return refused("invalid_input", checked.errors.join("; ").slice(0, MAX_ISSUE_CHARS), {
        issues: limited(checked.errors),
      });
    if (context.signal.aborted) return endedResult();

    const call: CheckedCall = {
      tool,
      input: checked.cleanedParams,
      args: argumentsText(checked.cleanedParams),
      context: { ...context, ...servicesFor(tool, this.#turn.services ?? {}) },
    };
    return this.#gated(call, () => this.#run(call, timeoutMs, trail));
  }

  #notFound(name: string, resolved: ResolvedName): ToolResult {
    const offered = this.schemas().map((tool) => tool.name);
    const nearest = resolved.found ? null : resolved.nearest;
    const hint = nearest !== null && offered.includes(nearest) ? ` Did you mean ${nearest}?` : "";
    return refused("not_found", `unknown tool: ${name}.${hint} Offered: ${offered.join(", ") || "none"}`);
  }

  /** Checks what is missing first and approval second, so that no person is asked in vain. */
  async #gated(call: CheckedCall, answer: () => Promise<ToolResult>): Promise<ToolResult> {
    const missing = this.#missing(call.tool);
    if (missing.length > 0) return refused("denied", `${call.tool.name} needs ${missing.join(" and ")}`);
    if (!needsApproval(call)) return answer();
    const { approvals } = this.#turn;
    const verdict = approvals?.verdict(call) ?? "open";
    if (verdict === "open") approvals?.ask(call, describeCallForApproval(call));
    return approvalRefusal(verdict) ?? answer();
  }

  #missing(tool: Tool | null): string[] {
    const { availability, services = {} } = this.#turn;
    return tool ? missingFor(tool, availability, services) : [];
  }

  #resolve(name: string): ResolvedName {
    return resolveToolName(name, this.names());
  }
}

function limited(notes: readonly string[]): string[] {
  const shown = notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE_CHARS).toWellFormed());
  return notes.length > MAX_NOTES ? [...shown, `${notes.length - MAX_NOTES} more`] : shown;
}

function rulesFor(tool: Tool, properties: unknown) {
  const mayRepair = tool.category === "safe" || tool.category === "async";
  return { mayRepair, parameters: new Set(isJsonObject(properties) ? Object.keys(properties) : []) };
}

/** A schema's own transformations may make values without a JSON form; equal calls still give equal texts. */
function argumentsText(input: Record<string, unknown>): string {
  const copied = jsonCopy(input);
  return canonicalJson(JSON.stringify(copied.ok ? copied.value : copied.found));
}
