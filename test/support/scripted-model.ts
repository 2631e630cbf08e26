// A model whose answer is a function of the conversation, so that a call that is repeated after a crash gets the same answer. It is as
// strict as a provider: it records a fault for each request that breaks the rules of tool calls. For a fixed script of answers,
// use turn-script.ts.
import type { Message } from "../../src/core/transcript/transcript.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/turn/ports.ts";

/**
 * What it answers: texts in pieces, calls (`args` may be the raw text), a failure; `hang` streams nothing more until the caller leaves. `pauseMs`
 * is a silence before the calls and the end; only the fault sweep's model supports it.
 */
export interface Answer {
  texts?: string[];
  calls?: { name: string; args?: object | string }[];
  fails?: "overloaded";
  hang?: boolean;
  pauseMs?: number;
  /** How long the model is silent at first. Only the fault sweep's model supports it. */
  firstMs?: number;
}

/** The model and the requests that it received. */
export interface ScriptedModel extends Model {
  requests: ModelRequest[];
  /** The provider's rules that requests broke. */
  faults: string[];
}

/** How a scripted model waits: `each` before every event, `rest` while it hangs. */
export interface ModelPace {
  each: () => Promise<void>;
  rest: () => Promise<void>;
}

/** Makes the model of one life, over records that all lives share. */
export function scriptedModel(
  answerTo: (request: ModelRequest) => Answer,
  records: Pick<ScriptedModel, "requests" | "faults">,
  pace: ModelPace,
  index = 0,
): ScriptedModel {
  return {
    ...records,
    name: index === 0 ? "scripted" : `scripted ${index + 1}`,
    async *stream(request, signal) {
      await pace.each();
      records.requests.push(request);
      records.faults.push(...findFaults(request.messages));
      const answer = answerTo(request);
      for (const text of answer.texts ?? []) {
        await pace.each();
        if (signal.aborted) return yield ABORTED;
        yield { kind: "text", text };
      }
      while (answer.hang) {
        if (signal.aborted) return yield ABORTED;
        await pace.rest();
      }
      await pace.each();
      if (answer.fails) return yield { kind: "failed", failure: { reason: answer.fails, message: "scripted" } };
      const calls = (answer.calls ?? []).map(({ name, args = {} }, index) => ({
        id: `call_${index}`,
        name,
        arguments: argumentsOf(args),
      }));
      yield { kind: "end", finishReason: calls.length > 0 ? "tool_calls" : "stop", calls, usage: null };
    },
  };
}

/** The arguments of a call as they are sent. */
export const argumentsOf = (args: object | string): string => (typeof args === "string" ? args : JSON.stringify(args));

const ABORTED: ModelEvent = { kind: "failed", failure: { reason: "aborted", message: "aborted" } };

/** The rules of OpenAI's messages: each call is answered exactly once before the next message, and nothing else is answered. */
export function findFaults(messages: Message[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      if (open[0] !== message.callId) faults.push(`message ${index} answers ${message.callId}, expected ${open[0]}`);
      open = open.slice(1);
      return;
    }
    if (open.length > 0) faults.push(`message ${index} comes before results of ${open.join(", ")}`);
    open = message.role === "assistant" ? message.calls.map((call) => call.id) : [];
  });
  if (open.length > 0) faults.push(`no results of ${open.join(", ")}`);
  return faults;
}
