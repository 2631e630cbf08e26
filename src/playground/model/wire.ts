// The answer side of the chat completions API: turns a step into server-sent events or one JSON object. Does not decide what is said and
// knows nothing about HTTP.
import { cutOnPurpose } from "../on-purpose.ts";
import type { ChatRequest } from "./request.ts";
import type { Part, ScriptStep } from "./script.ts";

const SILENCE_MS = 3_600_000;
const DEFAULT_FRAGMENTS = 3;

/** Waits; a `signal` may end the wait early, by resolving or rejecting. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** What the frames of one answer need. `serial` is unique to this answer; `gone` fires when the client leaves. */
export type Delivery = {
  request: ChatRequest;
  step: ScriptStep;
  atMs: number;
  serial: string;
  sleep: Sleep;
  gone: AbortSignal;
};

type Delta = Record<string, unknown>;
type Call = Extract<Part, { call: unknown }>["call"];

/** Yields the answer as SSE text, one event or comment at a time. Throws at a `cut`. */
export async function* streamEvents(delivery: Delivery): AsyncGenerator<string> {
  const { request, step } = delivery;
  const withUsage = request.stream_options?.include_usage === true;
  const chunk = (choices: object[], usage: object | null) =>
    `data: ${JSON.stringify({ ...buildHead(delivery, "chat.completion.chunk"), choices, ...(withUsage ? { usage } : {}) })}\n\n`;
  const choice = (delta: Delta, finish: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], null);

  yield choice({ role: "assistant", content: "" });
  let calls = 0;
  for (const part of step.chunks ?? []) {
    if ("call" in part) for (const delta of callDeltas(part.call, calls++, delivery)) yield choice(delta);
    else if ("text" in part) yield choice({ content: part.text });
    else if ("reasoning" in part) yield choice({ reasoning_content: part.reasoning });
    else if ("raw" in part) yield part.raw;
    else if ("comment" in part) yield ": keep-alive\n\n";
    else await waitFor(part, delivery);
  }
  const finish = finishReason(step);
  if (finish === null) return;
  yield choice({}, finish);
  if (withUsage) yield chunk([], buildUsage(delivery));
  yield "data: [DONE]\n\n";
}

/** Yields the answer as one JSON text, for a request without a stream. Pauses, hangs and cuts apply here too. */
export async function* streamCompletion(delivery: Delivery): AsyncGenerator<string> {
  const { step } = delivery;
  const calls: object[] = [];
  let content = "";
  let reasoning = "";
  for (const part of step.chunks ?? []) {
    if ("call" in part)
      calls.push({
        id: callId(part.call, calls.length, delivery),
        type: "function",
        function: { name: part.call.name, arguments: argumentsText(part.call) },
      });
    else if ("text" in part) content += part.text;
    else if ("reasoning" in part) reasoning += part.reasoning;
    else await waitFor(part, delivery);
  }
  const message = {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  yield JSON.stringify({
    ...buildHead(delivery, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(step) }],
    usage: buildUsage(delivery),
  });
}

async function waitFor(part: Part, { sleep, gone }: Delivery): Promise<void> {
  if ("waitMs" in part) await sleep(part.waitMs, gone);
  else if ("cut" in part) throw cutOnPurpose("The local model's stream");
  else if ("hang" in part && !gone.aborted)
    await new Promise<void>((resolve) => {
      gone.addEventListener("abort", () => resolve(), { once: true });
      // A pending timer shows workerd that this wait is intended; it would end a bare promise as a hung request.
      sleep(SILENCE_MS, gone).catch(() => undefined);
    });
}

function callDeltas(call: Call, index: number, delivery: Delivery): Delta[] {
  const opening = {
    index,
    id: callId(call, index, delivery),
    type: "function",
    function: { name: call.name, arguments: "" },
  };
  const text = argumentsText(call);
  const size = Math.max(1, Math.ceil(text.length / (call.fragments ?? DEFAULT_FRAGMENTS)));
  const fragments: Delta[] = [];
  for (let at = 0; at < text.length; at += size)
    fragments.push({ tool_calls: [{ index, function: { arguments: text.slice(at, at + size) } }] });
  return [{ tool_calls: [opening] }, ...fragments];
}

// The serial contains the time: a model that restarts during a conversation must not repeat an id from it.
const callId = (call: Call, index: number, { serial }: Delivery) => call.id ?? `call_${serial}_${index}`;

const argumentsText = (call: Call) =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

const buildHead = ({ request, atMs, serial }: Delivery, object: string) => ({
  id: `chatcmpl-${serial}`,
  object,
  created: Math.floor(atMs / 1000),
  model: request.model,
  system_fingerprint: "fp_local",
});

function finishReason(step: ScriptStep): string | null {
  if (step.finish !== undefined) return step.finish;
  return (step.chunks ?? []).some((part) => "call" in part) ? "tool_calls" : "stop";
}

// Four characters per token is a rule of thumb, close enough to see budgets at work.
function buildUsage({ request, step }: Delivery): object {
  const said = (step.chunks ?? []).filter((part) => "text" in part || "reasoning" in part || "call" in part);
  const prompt = Math.ceil(JSON.stringify([request.messages, request.tools ?? []]).length / 4);
  const completion = Math.ceil(
    said
      .map((part) => ("text" in part ? part.text : "call" in part ? argumentsText(part.call) : part.reasoning))
      .join("").length / 4,
  );
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...step.usage };
}
