// The two formats in which models of Workers AI answer, as the events of an OpenAI-compatible stream. OpenAI's own passes unchanged. The
// native one has `response` and `tool_calls` at the top level, padding in `p`, and no finish reason: its `[DONE]` is one.
import { createLines } from "../core/transcript/lines.ts";
import { parseJson, readFields } from "./json-fields.ts";
import { MAX_EVENT_CHARS } from "./server-events.ts";

/** One event of the native format. Servers send anything, so nothing of it is certain. */
interface Native {
  response?: unknown;
  tool_calls?: unknown;
  usage?: unknown;
  choices?: unknown;
  result?: unknown;
  error?: unknown;
  errors?: unknown;
}

interface NativeCall {
  id?: unknown;
  index?: unknown;
  name?: unknown;
  arguments?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

/** A call as the client reads it. */
interface Piece {
  index: number;
  id?: string;
  type: "function";
  function: { name?: string; arguments?: string };
}

/** Reads a text of events, cut anywhere, and writes events of the client's format. */
export function createNativeReader(): TransformStream<string, string> {
  const lines = createLines();
  const converter = createConverter();
  return new TransformStream({
    transform(chunk, controller) {
      for (const line of lines.push(chunk, false)) for (const event of converter.read(line)) controller.enqueue(event);
      if (lines.openChars() > MAX_EVENT_CHARS) controller.error(new SyntaxError("an event has no end"));
    },
    flush(controller) {
      for (const line of lines.push("", true)) for (const event of converter.read(line)) controller.enqueue(event);
    },
  });
}

/** A whole answer as a stream of few events. Both shapes: `chat.completion`, and the older one with `response`. */
export function whole(json: object): string {
  const native = unwrap(json as Native);
  const [choice] = Array.isArray(native.choices)
    ? (native.choices as { message?: object; finish_reason?: unknown }[])
    : [];
  const error = errorIn(json as Native);
  if (error) return event({ error });
  if (!choice) return [...wholeNative(native), DONE].join("");
  const { tool_calls: calls, ...message } = (choice.message ?? {}) as { tool_calls?: unknown };
  const pieces = piecesFrom(calls);
  const delta = { ...message, ...(pieces.length > 0 && { tool_calls: pieces }) };
  const finish = choice.finish_reason ?? (pieces.length > 0 ? "tool_calls" : "stop");
  return chunk(delta, finish, native.usage) + DONE;
}

function wholeNative(native: Native): string[] {
  const converter = createConverter();
  return [...converter.read(`data: ${JSON.stringify(native)}`), ...converter.read("data: [DONE]").slice(0, -1)];
}

const DONE = "data: [DONE]\n\n";
const event = (json: object): string => `data: ${JSON.stringify(json)}\n\n`;
const chunk = (delta: object, finish: unknown, usage?: unknown): string =>
  event({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage ? { usage } : {}),
  });

/** The error of an answer that began as a success, where the client looks for one. */
const errorIn = ({ error, errors }: Native): unknown => error || (Array.isArray(errors) ? errors[0] : null) || null;

/** REST answers are wrapped in `result`. */
const unwrap = (native: Native): Native =>
  typeof native.result === "object" && native.result !== null ? (native.result as Native) : native;

/** Converts line by line. A stream that ends without `[DONE]` gets no finish reason, so that the client sees that it was cut. */
function createConverter() {
  let isNative = false;
  let calls = 0;
  return {
    read(line: string): string[] {
      const data = /^data: ?(.*?)\r?$/s.exec(line)?.[1];
      if (data === undefined || data === "") return [];
      if (data === "[DONE]") return isNative ? [chunk({}, calls > 0 ? "tool_calls" : "stop"), DONE] : [DONE];
      const json: Native | null = readFields(parseJson(data));
      // What is no JSON is for the client to judge.
      if (json === null || Array.isArray(json.choices)) return [`data: ${data}\n\n`];
      const error = errorIn(json);
      if (error) return [event({ error })];
      isNative = true;
      const pieces = piecesFrom(json.tool_calls, calls);
      calls = Math.max(calls, ...pieces.map(({ index }) => index + 1));
      const content = textFrom(json.response);
      const delta = { ...(content !== "" && { content }), ...(pieces.length > 0 && { tool_calls: pieces }) };
      return Object.keys(delta).length > 0 || json.usage ? [chunk(delta, null, json.usage)] : [];
    },
  };
}

/** A model that answers in JSON mode sends a number or an object. */
function textFrom(response: unknown): string {
  if (response === null || response === undefined) return "";
  return typeof response === "object" ? JSON.stringify(response) : String(response);
}

/** Pieces of calls, or whole ones, whose arguments are an object and which have no id. The closing piece says nothing. */
function piecesFrom(calls: unknown, before = 0): Piece[] {
  const list = Array.isArray(calls) ? (calls as (NativeCall | null)[]) : [];
  return list.flatMap((call, position) => {
    const name = call?.function?.name ?? call?.name;
    const given = call?.function?.arguments ?? call?.arguments;
    if (typeof name !== "string" && (given === undefined || given === null)) return [];
    const index = typeof call?.index === "number" ? call.index : before + position;
    const text = typeof given === "object" && given !== null ? JSON.stringify(given) : given;
    // A piece that continues a call has neither a name nor an id.
    const id = typeof call?.id === "string" ? call.id : typeof name === "string" ? `call-${index}` : undefined;
    return [
      {
        index,
        ...(id !== undefined && { id }),
        type: "function",
        function: {
          ...(typeof name === "string" && { name }),
          ...(typeof text === "string" && { arguments: text }),
        },
      },
    ];
  });
}
