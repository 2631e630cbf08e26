// The request side of the chat completions API: what the local model accepts, and the sentence for each refusal. As strict as the strictest
// hosted provider, so that an error in a transcript shows up on a laptop first. Answers nothing.
import {
  array,
  boolean,
  discriminatedUnion,
  type infer as Infer,
  literal,
  looseObject,
  nullish,
  object,
  optional,
  string,
  union,
  unknown,
} from "zod";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ROLES = ["system", "developer", "user", "assistant", "tool"];

const name = string("is required and must be a string").regex(NAME, `must match ${NAME.source}`);
const textPart = object({ type: literal("text"), text: string() });
const text = union([string(), array(textPart).min(1)], "must be a string or a non-empty list of text parts");
const part = discriminatedUnion("type", [
  textPart,
  object({ type: literal("image_url"), image_url: object({ url: string().min(1) }) }),
  looseObject({ type: literal("input_audio") }),
  looseObject({ type: literal("file") }),
]);
const rich = union([string(), array(part).min(1)], "must be a string or a non-empty list of content parts");
const call = object({
  id: string().min(1),
  type: literal("function"),
  function: object({ name, arguments: string().refine(isJson, "must be JSON text") }),
});
const message = discriminatedUnion(
  "role",
  [
    object({ role: literal("system"), content: text }),
    object({ role: literal("developer"), content: text }),
    object({ role: literal("user"), content: rich }),
    object({ role: literal("assistant"), content: nullish(text), tool_calls: optional(array(call).min(1)) }),
    object({ role: literal("tool"), content: text, tool_call_id: string().min(1) }),
  ],
  `must be an object whose role is one of ${ROLES.join(", ")}`,
);
const tool = object({
  type: literal("function"),
  function: object({
    name,
    description: optional(string()),
    parameters: optional(looseObject({ type: literal("object") })),
  }),
});
const chatRequest = object({
  model: string().min(1),
  messages: array(message).min(1, "must not be empty"),
  tools: optional(array(tool).min(1, "must not be empty; leave it out instead")),
  tool_choice: optional(unknown()),
  parallel_tool_calls: optional(boolean()),
  stream: nullish(boolean()),
  stream_options: nullish(object({ include_usage: optional(boolean()) })),
});

/** A request that passed every check. Unknown parameters are dropped, and so are the fields that the model never reads. */
export type ChatRequest = Infer<typeof chatRequest>;
/** One message of the conversation, in the API's own form. */
export type ChatMessage = Infer<typeof message>;
/** One tool that the client offers. */
export type OfferedTool = Infer<typeof tool>;
/** Why a request is refused: a sentence, and the path of its parameter (null for the whole request). */
export type Fault = { message: string; param: string | null };

/** Reads a parsed JSON body. Checks the shape, then the order of the messages, then the tools; the first fault wins. */
export function readRequest(body: unknown): { ok: true; request: ChatRequest } | { ok: false; fault: Fault } {
  const read = chatRequest.safeParse(body);
  if (!read.success) {
    const issue = read.error.issues[0];
    const param = describePath(issue?.path ?? []);
    return { ok: false, fault: { message: `Invalid request: ${param ?? "the body"} ${issue?.message}`, param } };
  }
  const fault = orderFault(read.data.messages) ?? toolFault(read.data);
  return fault ? { ok: false, fault } : { ok: true, request: read.data };
}

/** Returns the text of a message's content. Parts that are not text are left out. */
export function readContent(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((piece) => (piece.type === "text" && typeof piece.text === "string" ? piece.text : ""))
    .join("\n");
}

function orderFault(messages: readonly ChatMessage[]): Fault | undefined {
  const open = new Set<string>();
  for (const [index, entry] of messages.entries()) {
    const at = `messages[${index}]`;
    if (entry.role === "tool") {
      if (!open.delete(entry.tool_call_id))
        return {
          message: `Invalid request: ${at} answers '${entry.tool_call_id}', which no preceding assistant message left open`,
          param: `${at}.tool_call_id`,
        };
      continue;
    }
    if (open.size > 0) return unanswered(open, at);
    if (entry.role !== "assistant") continue;
    if (entry.content == null && !entry.tool_calls)
      return { message: `Invalid request: ${at} needs content or tool_calls`, param: `${at}.content` };
    for (const { id } of entry.tool_calls ?? []) {
      if (open.has(id))
        return { message: `Invalid request: ${at} repeats the call id '${id}'`, param: `${at}.tool_calls` };
      open.add(id);
    }
  }
  return open.size > 0 ? unanswered(open, "the end of messages") : undefined;
}

function unanswered(open: ReadonlySet<string>, before: string): Fault {
  const ids = [...open].map((id) => `'${id}'`).join(", ");
  return { message: `Invalid request: tool calls ${ids} have no tool message before ${before}`, param: "messages" };
}

function toolFault(request: ChatRequest): Fault | undefined {
  const names = (request.tools ?? []).map((offered) => offered.function.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice) return { message: `Invalid request: two tools are named '${twice}'`, param: "tools" };
  if (request.tools) return undefined;
  // Hosted providers refuse both fields without tools; a client that withdraws its tools must withdraw them too.
  for (const param of ["tool_choice", "parallel_tool_calls"] as const)
    if (request[param] !== undefined)
      return { message: `Invalid request: ${param} is only allowed when tools are given`, param };
  return undefined;
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function describePath(path: readonly PropertyKey[]): string | null {
  const steps = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return steps.length === 0 ? null : steps.join("").replace(/^\./, "");
}
