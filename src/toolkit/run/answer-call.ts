// Turns one tool call, in whatever form a model wrote it, into one result. Never throws: unknown, malformed, refused, failed, thrown and
// timed out are all results, because a call without a result makes the provider refuse the whole conversation.
import { canonicalJson } from "../../core/transcript/canonical.ts";
import { missingFor, servicesFor } from "../define/availability.ts";
import { isQuiet } from "../define/tool.ts";
import type { OpenTool, ToolRegistry, ToolSchema } from "../define/tool-cards.ts";
import { NOT_QUITE_JSON, readArguments } from "../intake/arguments.ts";
import { type ReadCall, type RuntimeCall, readCall } from "../intake/call.ts";
import { callIdFrom } from "../intake/call-id.ts";
import { MAX_NAME_CHARS, type ResolvedName, resolveToolName } from "../intake/tool-name.ts";
import { validate } from "../intake/validation.ts";
import { isJsonObject } from "../read-json.ts";
import { type ExecutedResult, refused, type ToolResult, truncatedInput } from "../tool-result.ts";
import { approvalRefusal, describeCallForApproval, needsApproval } from "./call-approval.ts";
import { buildCallContext, type CallContext } from "./call-context.ts";
import { buildMeta, type CallTrail, openTrail } from "./call-trail.ts";
import { jsonCopy } from "./json-copy.ts";
import { createCallRunner, endedResult } from "./run-call.ts";
import type { CheckedCall, RuntimePorts } from "./runtime-ports.ts";
import { createScrubber } from "./scrub.ts";
import { completePorts } from "./system.ts";
import { cut, thrownResult } from "./tool-outcome.ts";

const MAX_ISSUE_CHARS = 1000;
/** The most notes about one call's arguments: arguments of 64 KiB can have thousands of faults, and the model reads each note. */
const MAX_NOTES = 20;
const MAX_NOTE_CHARS = 300;

/** Answers one call of a turn; `timeoutMs` covers all attempts. Never throws. */
export type CallAnswers = (call: RuntimeCall, context: CallContext, timeoutMs: number) => Promise<ExecutedResult>;

/** Creates the answers of one turn. `offered` is used when a call names a tool that does not exist. */
export function createCallAnswers(
  registry: ToolRegistry,
  ports: RuntimePorts,
  offered: () => readonly ToolSchema[],
): CallAnswers {
  const platform = completePorts(ports);
  const scrub = createScrubber(ports.secrets);
  const run = createCallRunner(platform, ports, scrub);

  const answer = async (
    read: ReadCall,
    resolved: ResolvedName,
    given: CallContext,
    timeoutMs: number,
    trail: CallTrail,
  ): Promise<ToolResult> => {
    const name = resolved.found ? resolved.name : writtenName(read);
    const opened = await registry.open(name);
    const context = buildCallContext(given, callIdFrom(read.callId, name, 0, 0), platform, scrub);
    const args = opened ? readArguments(read.given, rulesFor(opened)) : null;
    const reasoning = read.reasoning ?? (args?.ok ? args.reasoning : null);
    context.log(`Assistant decision: ${name} - ${scrub.text(reasoning ?? "no reason given")}`);

    if (!opened || !args) return notFound(name, resolved);
    const { tool, input } = opened;
    if (resolved.found && !resolved.isExact)
      trail.repaired.push(`${JSON.stringify(writtenName(read))} was read as ${name}`);
    if (read.truncated) return truncatedInput();
    if (!args.ok) return args.result;
    trail.repaired.push(...args.repaired);
    if (args.repaired.includes(NOT_QUITE_JSON)) trail.readAs = JSON.stringify(args.value);
    const checked = validate(tool, input, args.value);
    trail.warnings.push(...checked.warnings);
    if (!checked.valid)
      return refused("invalid_input", checked.errors.join("; ").slice(0, MAX_ISSUE_CHARS).toWellFormed(), {
        issues: limited(checked.errors),
      });
    if (context.signal.aborted) return endedResult();

    const call: CheckedCall = {
      tool,
      input: checked.cleanedParams,
      args: argumentsText(checked.cleanedParams),
      context: { ...context, ...servicesFor(tool, ports.services ?? {}) },
    };
    return gated(call, () => run(call, timeoutMs, trail));
  };

  const notFound = (name: string, resolved: ResolvedName): ToolResult => {
    const names = offered().map((tool) => tool.name);
    const nearest = resolved.found ? null : resolved.nearest;
    const hint = nearest !== null && names.includes(nearest) ? ` Did you mean ${nearest}?` : "";
    return refused("not_found", `unknown tool: ${name}.${hint} Offered: ${names.join(", ") || "none"}`);
  };

  /** Checks first what is missing and what can't succeed, and only then the approval, so that nobody is asked in vain. */
  const gated = async (call: CheckedCall, go: () => Promise<ToolResult>): Promise<ToolResult> => {
    const missing = missingFor(call.tool, ports.availability, ports.services ?? {});
    if (missing.length > 0) return refused("denied", `${call.tool.name} needs ${missing.join(" and ")}`);
    const { approvals } = ports;
    const isNeeded = needsApproval(call);
    const verdict = approvals?.verdict(call, isNeeded) ?? (isNeeded ? "open" : "approved");
    const objection = verdict === "open" ? (call.tool.objection?.(call.input, call.context) ?? null) : null;
    if (objection !== null) return refused("invalid_input", cut(objection, MAX_ISSUE_CHARS, scrub));
    if (verdict === "open") approvals?.ask(call, describeCallForApproval(call));
    return approvalRefusal(verdict) ?? go();
  };

  return async (call, context, timeoutMs) => {
    const { clock } = platform;
    const read = readCall(call);
    const resolved = resolveToolName(read.name, registry.names());
    const tool = resolved.found ? resolved.name : writtenName(read);
    const trail = openTrail(read.callId, tool, clock(), read.repaired);
    const result = await answer(read, resolved, context, timeoutMs, trail).catch((error: unknown) => {
      trail.isFault = true;
      return thrownResult(error, scrub);
    });
    const warnings = limited([...trail.repaired, ...trail.warnings, ...(result.warnings ?? [])]);
    const { readAs } = trail;
    return {
      ...result,
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(readAs !== undefined && { readAs }),
      meta: buildMeta(trail, clock()),
    };
  };
}

/**
 * Returns the name that the model wrote, which may not be a tool's. It is made well-formed, because a provider would refuse a whole request for
 * half a surrogate pair.
 */
const writtenName = ({ name }: ReadCall): string => name.slice(0, MAX_NAME_CHARS).toWellFormed();

function limited(notes: readonly string[]): string[] {
  const shown = notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE_CHARS).toWellFormed());
  return notes.length > MAX_NOTES ? [...shown, `${notes.length - MAX_NOTES} more`] : shown;
}

function rulesFor({ tool, input }: OpenTool) {
  const { properties } = input.parameters;
  return { mayRepair: isQuiet(tool), parameters: new Set(isJsonObject(properties) ? Object.keys(properties) : []) };
}

/**
 * Returns the arguments as canonical JSON. A schema's own transformations may produce values without a JSON form; equal calls still give equal
 * texts.
 */
function argumentsText(input: Record<string, unknown>): string {
  const copied = jsonCopy(input);
  return canonicalJson(JSON.stringify(copied.ok ? copied.value : copied.found));
}
