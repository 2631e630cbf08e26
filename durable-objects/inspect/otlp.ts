// Turns an ended turn into OpenTelemetry spans, named by its conventions for generative AI: the turn, its model calls, tools, requests
// to Discord and waits. Contains only times, names and figures, nobody's words. Pure.
import type { InspectedModelCall, InspectedTurn, Span } from "../../src/core/state/inspected.ts";

type Value = { stringValue: string } | { intValue: string } | { boolValue: boolean };
type Attributes = { key: string; value: Value }[];
type Known = Readonly<Record<string, string | number | boolean | null | undefined>>;

const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;
/** The length of the ids in hexadecimal: 16 bytes for the trace, 8 for a span (OTLP). */
const TRACE_CHARS = 32;
const SPAN_CHARS = 16;

/** One span, before it gets its ids. */
interface Part extends Span {
  name: string;
  kind: number;
  attributes: Known;
  error?: string | null;
}

/**
 * Builds the body of a request to `/v1/traces`. `hash`: at least 48 hexadecimal characters that are unique to this turn. The same turn and hash
 * give the same ids, so that a turn that is sent twice is one trace.
 */
export function traceRequest(turn: InspectedTurn, hash: string, version: string): object {
  const traceId = hash.slice(0, TRACE_CHARS);
  const first = hash.slice(TRACE_CHARS, TRACE_CHARS + SPAN_CHARS);
  const spanId = (index: number) =>
    BigInt.asUintN(64, BigInt(`0x${first}`) + BigInt(index))
      .toString(16)
      .padStart(SPAN_CHARS, "0");
  const endsAt = Math.max(turn.deliveredAt ?? 0, turn.endedAt ?? 0, turn.createdAt);
  const parts = [turnPart(turn, endsAt), ...buildParts(turn)];
  const spans = parts.map(({ at, ms, name, kind, attributes, error }, index) => ({
    traceId,
    spanId: spanId(index),
    ...(index > 0 && { parentSpanId: spanId(0) }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(ms === null ? Math.max(at, endsAt) : at + ms),
    attributes: attributesOf({ ...attributes, "error.type": error }),
    ...(error && { status: { code: ERROR } }),
  }));
  const resource = { attributes: attributesOf({ "service.name": "parley", "service.version": version }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "parley", version }, spans }] }] };
}

const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;

function turnPart(turn: InspectedTurn, endsAt: number): Part {
  return {
    at: turn.createdAt,
    ms: endsAt - turn.createdAt,
    name: "invoke_agent Parley",
    kind: INTERNAL,
    error: turn.reason,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "Parley",
      "gen_ai.provider.name": PROTOCOL,
      "gen_ai.request.model": turn.model,
      "gen_ai.conversation.id": turn.channelId,
      "gen_ai.usage.input_tokens": turn.usage.inputTokens,
      "gen_ai.usage.output_tokens": turn.usage.outputTokens,
      "parley.turn.id": turn.turnId,
      "parley.turn.status": turn.status,
      "parley.turn.takeovers": turn.takeovers,
      "parley.guild.id": turn.guildId,
      "parley.cost.micro_usd": turn.usage.microUsd,
    },
  };
}

/** The convention wants the provider's name. All that we know for sure is whose protocol it speaks. */
const PROTOCOL = "openai";

const buildParts = ({ waits, modelCalls, toolCallList, requests }: InspectedTurn): Part[] => [
  ...waits.map(({ kind, ...span }) => ({ ...span, name: `wait ${kind}`, kind: INTERNAL, attributes: {} })),
  ...modelCalls.map(modelPart),
  ...toolCallList.map(({ at, ms, tool, status, attempts, isCached }) => ({
    at,
    ms,
    name: `execute_tool ${tool}`,
    kind: INTERNAL,
    error: status === "ok" ? null : status,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.type": "function",
      "parley.tool.attempts": attempts,
      "parley.tool.cached": isCached,
    },
  })),
  ...requests.map(({ at, ms, method, status, waitMs }) => ({
    at,
    ms,
    name: `discord ${method}`,
    kind: CLIENT,
    error: status === null ? "no_answer" : status >= 400 ? `${status}` : null,
    attributes: { "http.response.status_code": status, "parley.discord.wait_ms": waitMs },
  })),
];

const modelPart = ({ at, ms, model, firstMs, outcome, reason, usage, retries = [] }: InspectedModelCall): Part => ({
  at,
  ms,
  name: `chat ${model}`,
  kind: CLIENT,
  // A call that a person stopped is not an error of the model.
  error: outcome === "answered" || outcome === "called_tools" || outcome === "stopped" ? null : (reason ?? outcome),
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": PROTOCOL,
    "gen_ai.request.model": model,
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "parley.model.first_token_ms": firstMs,
    "parley.model.retries": retries.length,
    "parley.cost.micro_usd": usage?.costMicroUsd,
  },
});

const attributesOf = (known: Known): Attributes =>
  Object.entries(known).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: asValue(value) }],
  );

function asValue(value: string | number | boolean): Value {
  if (typeof value === "boolean") return { boolValue: value };
  return typeof value === "number" ? { intValue: `${Math.round(value)}` } : { stringValue: value };
}
