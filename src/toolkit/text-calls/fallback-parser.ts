// Finds the calls in a reply of a model that writes calls as text. Only the whole reply or its last block counts as a call: other text
// about tools is just text. Broken JSON is passed on unchanged; the runtime's intake decides about it.
import { endOfObject } from "../../core/transcript/object-end.ts";
import { isJsonObject, readJson } from "../read-json.ts";

/** A call written as text. `arguments` is JSON text, or the whole broken block. */
export interface TextToolCall {
  name: string;
  arguments: string;
  reasoning: string | null;
}

/** The parts of a reply: the text for people, and the calls after it. */
export interface FallbackReply {
  text: string;
  calls: TextToolCall[];
}

const CALL_KEYS = new Set(["tool", "name", "parameters", "arguments", "reasoning", "id"]);
/** Fields that contain nothing but the name of a tool. */
const DIRECT_KEYS = ["tool", "tool_name", "function"];
const NAME_IN_BROKEN = /^\{\s*"(?:tool|name)"\s*:\s*"([\w.:-]{1,128})"/;
/** A reply with more lines that begin with a brace is code, not a call. */
const MAX_CANDIDATES = 40;

/**
 * Reads a complete reply of a model. `names`: the tools that exist. An object that names one of them is never shown to people. So it counts as a
 * call even if it has fields that don't belong in one: they are added to the parameters, and the runtime judges them.
 */
export function parseFallbackReply(reply: string, names: readonly string[] = []): FallbackReply {
  const text = reply.trim();
  const callIn = (block: string) => readCall(block, names);
  return tagged(text, callIn) ?? fenced(text, callIn) ?? bare(text, callIn) ?? { text, calls: [] };
}

type CallReader = (block: string) => TextToolCall | null;

/** Reads one or several `<tool_call>` blocks at the end. The last closing tag may be missing. */
function tagged(text: string, callIn: CallReader): FallbackReply | null {
  const calls: TextToolCall[] = [];
  let rest = text;
  for (;;) {
    const start = rest.lastIndexOf("<tool_call>");
    if (start < 0) break;
    const inner = rest.slice(start + "<tool_call>".length);
    const close = inner.indexOf("</tool_call>");
    const isLast = close < 0 || inner.slice(close + "</tool_call>".length).trim() === "";
    const call = isLast ? callIn((close < 0 ? inner : inner.slice(0, close)).trim()) : null;
    if (!call) break;
    calls.unshift(call);
    rest = rest.slice(0, start).trimEnd();
  }
  return calls.length > 0 ? { text: rest, calls } : null;
}

/** Reads a fenced block at the end. */
function fenced(text: string, callIn: CallReader): FallbackReply | null {
  if (!text.endsWith("```")) return null;
  const start = text.lastIndexOf("```", text.length - 4);
  const firstLineEnd = start < 0 ? -1 : text.indexOf("\n", start);
  if (firstLineEnd < 0) return null;
  const call = callIn(text.slice(firstLineEnd, -3).trim());
  return call && { text: text.slice(0, start).trimEnd(), calls: [call] };
}

/** Reads an object that begins on a new line and ends the reply. */
function bare(text: string, callIn: CallReader): FallbackReply | null {
  const starts = [...text.matchAll(/^[ \t]*\{/gm)].slice(0, MAX_CANDIDATES);
  for (const { index } of starts) {
    const call = callIn(text.slice(index).trim());
    if (call) return { text: text.slice(0, index).trimEnd(), calls: [call] };
  }
  return null;
}

/** Returns the call in a block, or null. */
function readCall(block: string, names: readonly string[]): TextToolCall | null {
  const read = readJson(block);
  if (!read.ok) return brokenCallIn(block);
  return isJsonObject(read.value) ? callFrom(read.value, names) : null;
}

function callFrom(value: Record<string, unknown>, names: readonly string[]): TextToolCall | null {
  const nameKey = DIRECT_KEYS.find((key) => typeof value[key] === "string") ?? "name";
  const name = value[nameKey];
  // The object may be nested in `function`, as in native calls.
  if (typeof name !== "string") return isJsonObject(value.function) ? callFrom(value.function, names) : null;
  const given = value.parameters ?? value.arguments;
  if (given === undefined && nameKey === "name") return null;
  const more = Object.entries(value).filter(([key]) => key !== nameKey && !CALL_KEYS.has(key));
  if ((more.length > 0 || !CALL_KEYS.has(nameKey)) && !names.includes(name)) return null;
  return {
    name,
    arguments: typeof given === "string" ? given : JSON.stringify(withMore(given, more)),
    reasoning: typeof value.reasoning === "string" ? value.reasoning : null,
  };
}

const withMore = (given: unknown, more: [string, unknown][]): unknown =>
  given === undefined || isJsonObject(given) ? { ...Object.fromEntries(more), ...given } : (given ?? {});

/** Reads a call that is cut off or badly written. An object followed by more words is neither. */
function brokenCallIn(block: string): TextToolCall | null {
  const name = NAME_IN_BROKEN.exec(block)?.[1];
  const end = endOfObject(block);
  return name !== undefined && (end < 0 || end === block.length) ? { name, arguments: block, reasoning: null } : null;
}
