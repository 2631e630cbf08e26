// A story's model behind its HTTP interface: reads our requests and answers as the story says, in a stream of events of which every
// piece can break.
import type { Message } from "../../src/core/transcript/transcript.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { type Answer, argumentsOf, findFaults } from "../support/scripted-model.ts";
import { type FaultKind, MARK } from "./plan.ts";

/** What the stream of an answer needs from its run. */
export interface WireModelParams {
  answerTo: (request: ModelRequest, model: number) => Answer;
  /** Passes one piece of a stream. Returns how it breaks. */
  passEvent: (name: string) => FaultKind | null;
  /** Waits on the run's clock. */
  sleep: (ms: number) => Promise<void>;
  /** Called for each stream; `isSettled` is set once it has ended. */
  onStream: (signal: AbortSignal) => { isSettled: boolean };
  /** How long a late piece takes. */
  lateMs: number;
  requests: ModelRequest[];
  /** The provider's rules that requests broke. */
  faults: string[];
}

interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | { type: string; text?: string }[] | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** The time between two pieces of an answer. */
const PIECE_MS = 200;
const HUGE = "x".repeat(10 * 1024 * 1024);

/** Answers one request. The stream ends when its reader leaves, unless it ignores that. */
export async function answerOnWire(request: Request, signal: AbortSignal, params: WireModelParams): Promise<Response> {
  const body = (await request.json()) as {
    model: string;
    messages: WireMessage[];
    tools?: { function: object }[];
    tool_choice?: ModelRequest["toolChoice"];
  };
  const [system, ...messages] = body.messages;
  const read = {
    system: textOf(system?.content ?? ""),
    messages: messages.map(readMessage),
    tools: (body.tools ?? []).map((tool) => tool.function),
    ...(body.tool_choice && { toolChoice: body.tool_choice }),
  } as ModelRequest;
  params.requests.push(read);
  params.faults.push(...findFaults(read.messages));
  const answer = params.answerTo(read, Number(/\d+$/.exec(body.model)?.[0] ?? 1) - 1);
  return new Response(streamOf(answer, params, signal), { headers: { "content-type": "text/event-stream" } });
}

function streamOf(answer: Answer, params: WireModelParams, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pieces = piecesOf(answer);
  const encoder = new TextEncoder();
  const open = params.onStream(signal);
  let isDeaf = false;
  return new ReadableStream(
    {
      start: (controller) =>
        signal.addEventListener("abort", () => isDeaf || controller.error(new DOMException("aborted", "AbortError"))),
      async pull(controller) {
        for (const [pause, ms = 0] of [["silence", answer.firstMs] as const, ["pause", answer.pauseMs] as const]) {
          if (pieces[0] !== pause) continue;
          await params.sleep(ms);
          pieces.shift();
        }
        await params.sleep(PIECE_MS);
        if (signal.aborted) return;
        const piece = pieces.shift();
        // A model that hangs is silent until its reader leaves.
        if (piece === "hang") return new Promise(() => {});
        if (piece === undefined) {
          open.isSettled = true;
          return controller.close();
        }
        const say = (text: string) => controller.enqueue(encoder.encode(text));
        switch (params.passEvent(piece.slice(0, 60))) {
          case "rejects":
            open.isSettled = true;
            return controller.error(new Error(`${MARK}: the stream broke`));
          case "never":
            isDeaf = true;
            return new Promise(() => {});
          case "late":
            isDeaf = true;
            await params.sleep(params.lateMs);
            return say(piece);
          case "garbage":
            return say('data: {"choices":[{"delta":{"content":7,"tool_calls":"some"},"finish_reason":[]}]}\n\n');
          case "huge":
            return say(chunk({ content: HUGE }));
          case "twice":
            return say(piece + piece);
          default:
            return say(piece);
        }
      },
      cancel() {
        open.isSettled = true;
      },
    },
    { highWaterMark: 0 },
  );
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function piecesOf({ texts = [], calls = [], hang, fails, pauseMs, firstMs }: Answer): string[] {
  const silence = firstMs === undefined ? [] : ["silence"];
  const said = [...silence, ...texts.map((text) => chunk({ content: text }))];
  if (hang) return [...said, "hang"];
  if (fails) return [...said, 'data: {"error":{"message":"scripted","code":"503"}}\n\n'];
  const called = calls.map(({ name, args = {} }, index) =>
    chunk({
      tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: argumentsOf(args) } }],
    }),
  );
  const end = `${chunk({}, calls.length > 0 ? "tool_calls" : "stop")}data: [DONE]\n\n`;
  return [...said, ...(pauseMs === undefined ? [] : ["pause"]), ...called, end];
}

function readMessage({ role, content, tool_call_id: callId = "", tool_calls: calls = [] }: WireMessage): Message {
  const text = textOf(content);
  if (role === "tool") return { role, callId, text };
  if (role !== "assistant") return { role: "user", text };
  return {
    role,
    text,
    calls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args })),
  };
}

const textOf = (content: WireMessage["content"]): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");
