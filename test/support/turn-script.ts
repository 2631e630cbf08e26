// The script of a model, the tools in a test of a turn, and the rules for every request in such a test.
import { object, optional, string } from "zod";
import type { ModelFailureReason } from "../../src/core/state/ending.ts";
import { requestBody } from "../../src/model/request-body.ts";
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from "../../src/toolkit/define/tool.ts";
import type { FinishReason, ModelEvent, ModelRequest } from "../../src/turn/ports.ts";
import type { TestClock } from "./clock.ts";
import { findFaults } from "./scripted-model.ts";

/** One thing that a model does within a step: an event, a pause, or a moment in which the test acts. */
export type Step = ModelEvent | { waitMs: number } | { hang: true } | { act: () => void };
/** Everything that a model does in one step of the turn. */
export type Pass = Step[];

/** The usage that every step reports. */
export const USAGE = { inputTokens: 10, outputTokens: 2 };

/** Makes an event: the model says this. */
export const text = (words: string): ModelEvent => ({ kind: "text", text: words });
/** Makes an event: the model thinks this. */
export const reasoning = (words: string): ModelEvent => ({ kind: "reasoning", text: words });

/** Makes the end of a step. Each call is a name, or a name and arguments. */
export function end(
  calls: (string | [name: string, args: object | string])[] = [],
  finishReason: FinishReason = calls.length > 0 ? "tool_calls" : "stop",
): ModelEvent {
  const whole = calls.map((call, index) => {
    const [name, args] = typeof call === "string" ? [call, {}] : call;
    return { id: `c${index}`, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
  });
  return { kind: "end", finishReason, calls: whole, usage: USAGE };
}

/** Makes a step that says these words and stops. */
export const says = (words: string): ModelEvent[] => [text(words), end()];
/** The same for a provider that does not report how many tokens it took. */
export const saysUncounted = (words: string): ModelEvent[] => [
  text(words),
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];
/** Makes a step that calls these tools. */
export const calls = (...names: Parameters<typeof end>[0] & object): Pass => [end(names)];
/** Makes a step that fails. */
export const fails = (reason: ModelFailureReason, retryAfterMs?: number): Pass => [
  { kind: "failed", failure: { reason, message: "scripted", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } },
];

/** Plays one step. Ends with the failure `aborted` when the signal fires. */
export async function* speak(pass: Pass, { timers }: TestClock, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (const step of pass) {
    if ("act" in step) step.act();
    else if ("waitMs" in step) await wait(timers, signal, step.waitMs);
    else if ("hang" in step) await wait(timers, signal, null);
    else yield step;
    if (signal.aborted) return yield { kind: "failed", failure: { reason: "aborted", message: "aborted" } };
  }
}

function wait(timers: TestClock["timers"], signal: AbortSignal, ms: number | null): Promise<void> {
  return new Promise((resolve) => {
    const cancel = ms === null ? () => {} : timers.after(ms, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

/** Makes a tool for tests. It only reads, unless `over` says otherwise. */
export function tool(
  name: string,
  execute: (context: ToolContext, input: { note?: string | undefined }) => ToolOutcome | Promise<ToolOutcome>,
  over: Partial<Omit<Tool, "name" | "execute">> = {},
): Tool {
  return defineTool({
    name,
    description: `Test tool: ${name}.`,
    category: "safe",
    hints: { readOnly: true, idempotent: true, destructive: false, openWorld: false },
    ...over,
    input: object({ note: optional(string()) }),
    execute: (input, context) => execute(context, input),
  }) as Tool;
}

/** Makes a tool one that changes something and may not run twice. */
export const EFFECT: Partial<Tool> = {
  category: "async",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
};

/** The provider's rules for a request, checked on the conversation and on the exact body that would be sent. */
export function findTurnFaults(model: string, request: ModelRequest): string[] {
  const faults = findFaults(request.messages);
  const body = requestBody(model, request);
  const offered = request.tools.map(({ name }) => name);
  if (new Set(offered).size < offered.length) faults.push("a tool is offered twice");
  if (request.messages[0]?.role !== "user") faults.push("the conversation does not begin with a person's words");
  for (const message of body.messages) {
    if (message.role === "assistant" && !message.content && !message.tool_calls?.length)
      faults.push("an answer with nothing in it");
    for (const call of message.role === "assistant" ? (message.tool_calls ?? []) : []) {
      if (call.type !== "function" || !/^[A-Za-z0-9_-]{1,64}$/.test(call.function.name))
        faults.push("an impossible name");
      if (call.type === "function" && typeof JSON.parse(call.function.arguments) !== "object")
        faults.push("arguments that are no object");
    }
    if (message.role === "tool") JSON.parse(String(message.content));
  }
  return faults;
}
