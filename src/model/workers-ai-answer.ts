// Converts the two formats in which models of Workers AI answer into the events of an OpenAI-compatible stream. OpenAI's own format
// passes unchanged. The native one has `response` and `tool_calls` at the top level, padding in `p`, and no finish reason: its `[DONE]`
// serves as one.
import { createLines } from "../core/transcript/lines.ts";
import { type Fields, parseJson, readFields, readList } from "./json-fields.ts";
import { MAX_EVENT_CHARS } from "./server-events.ts";

/** Reads events from text that may be split anywhere, and writes events of the client's format. */
export function createNativeReader(): TransformStream<string, string> {
  const lines = createLines();
  const convert = createConverter();
  return new TransformStream({
    transform(piece, controller) {
      for (const line of lines.push(piece, false)) controller.enqueue(convert(line));
      if (lines.openChars() > MAX_EVENT_CHARS) controller.error(new SyntaxError("an event has no end"));
    },
    flush(controller) {
      for (const line of lines.push("", true)) controller.enqueue(convert(line));
    },
  });
}

/** Converts a whole answer into a stream. REST wraps it in `result`. */
export function buildStream(whole: Fields): string {
  const answer = readFields(whole.result) ?? whole;
  if (hasError(whole)) return event(whole);
  if (isNative(answer)) return event(chunkFrom(answer, 0, "stop")) + DONE;
  const choices = readList(answer.choices)
    .map(readFields)
    .map((choice) => ({ ...choice, finish_reason: choice?.finish_reason ?? "stop" }));
  return event({ ...answer, choices }) + DONE;
}

const DONE = "data: [DONE]\n\n";
const event = (json: object): string => `data: ${JSON.stringify(json)}\n\n`;

/** Errors, and anything that is not JSON, are left for the client to read. */
const hasError = ({ error, errors }: Fields): boolean => Boolean(error || readList(errors)[0]);
const isNative = (json: Fields): boolean => !Array.isArray(json.choices) && !hasError(json);

/** Converts line by line. A stream that ends without `[DONE]` gets no finish reason, so that the client sees that it was cut. */
function createConverter(): (line: string) => string {
  let wasNative = false;
  let calls = 0;
  return (line) => {
    const data = /^data: ?(.*)$/s.exec(line)?.[1] ?? "";
    if (data === "") return "";
    if (data === "[DONE]") return (wasNative ? event(chunkFrom({}, 0, "stop")) : "") + DONE;
    const json = readFields(parseJson(data));
    if (!json || !isNative(json)) return `data: ${data}\n\n`;
    wasNative = true;
    const chunk = chunkFrom(json, calls, null);
    calls += readList(json.tool_calls).length;
    return event(chunk);
  };
}

/** Converts a native event into OpenAI's format. `callsBefore`: the number of calls in the events before it. */
function chunkFrom({ response, tool_calls, usage }: Fields, callsBefore: number, finish: "stop" | null): object {
  const delta = {
    content: textFrom(response),
    tool_calls: readList(tool_calls).map((call, at) => numbered(call, callsBefore + at)),
  };
  return { choices: [{ delta, finish_reason: finish }], usage };
}

/** A model that answers in JSON mode sends a number or an object. */
function textFrom(response: unknown): string {
  if (response === null || response === undefined) return "";
  return typeof response === "object" ? JSON.stringify(response) : String(response);
}

/** Gives a call an index, and an id if it has a name: whole calls come without both, and a piece that continues a call has no name. */
function numbered(call: unknown, position: number): Fields {
  const fields = readFields(call) ?? {};
  const name = readFields(fields.function)?.name ?? fields.name;
  const { index = position } = fields;
  return { ...fields, index, id: fields.id ?? (typeof name === "string" ? `call-${String(index)}` : null) };
}
