// Joins the streamed pieces of tool calls into whole calls with unique ids, and collects what a server adds to each call.
import { createObjectScanner } from "../core/transcript/object-end.ts";
import type { Message, ToolCall } from "../core/transcript/transcript.ts";
import { type Fields, parseJson, readFields, readList } from "./json-fields.ts";

/** One piece, as OpenAI streams it. Compatible servers omit the index, the id or both. */
export interface CallPiece {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: string | undefined } | undefined;
  /** Must be sent back with its call (Gemini's signature). */
  extra_content?: unknown;
}

/** Whole calls and, by their ids, what must be sent back with them. */
export interface JoinedCalls {
  calls: ToolCall[];
  extras: Record<string, unknown>;
}

interface Entry {
  call: ToolCall;
  /** Looks for the end of the object in its arguments. */
  findEnd: (piece: string) => number;
  /** Its arguments as plain JSON, once they are complete; empty if they are not an object. They are parsed only then, and only once. */
  whole?: string;
  /** Its newest arguments, as long as each piece began with all of the piece before; null: one did not. */
  soFar: string | null;
  extra?: unknown;
}

/**
 * Reads the pieces of one delta in all the forms that servers send: one call instead of a list, arguments as an object, a number as an id, the
 * function's fields at the top level, and the older `function_call`. Null if something can't be a piece.
 */
export function readPieces(delta: Fields): CallPiece[] | null {
  const old = readFields(delta.function_call);
  const found = [...readList(delta.tool_calls), ...(old ? [{ index: 0, function: old }] : [])];
  const pieces = found.filter((one) => one !== null).map(readFields);
  return pieces.some((one) => one === null) ? null : pieces.map((one) => readPiece(one ?? {})).filter(saysAnything);
}

/** Whether a piece contains anything. Some servers send an empty one along with text; that is not a call. */
const saysAnything = ({ id, function: called, extra_content }: CallPiece): boolean =>
  Boolean(id || called?.name || called?.arguments || extra_content);

function readPiece(fields: Fields): CallPiece {
  const called = readFields(fields.function) ?? fields;
  const { arguments: args } = called;
  const id = typeof fields.id === "number" ? String(fields.id) : fields.id;
  const index = typeof fields.index === "string" ? Number(fields.index) : fields.index;
  return {
    ...(Number.isInteger(index) && { index: index as number }),
    ...(typeof id === "string" && { id }),
    function: {
      ...(typeof called.name === "string" && { name: called.name }),
      ...(typeof args === "string" && { arguments: args }),
      ...(typeof args === "object" && args !== null && { arguments: JSON.stringify(args) }),
    },
    ...(fields.extra_content !== undefined && { extra_content: fields.extra_content }),
  };
}

/**
 * Joins pieces into whole calls, in the order in which they began. Ids are made unique, within the answer and within the conversation `before`
 * it: some servers send none, or the same one for every call. A result could then not be matched with its call, and Anthropic refuses a request
 * that contains an id twice.
 */
export function joinCalls(pieces: readonly CallPiece[], before: readonly Message[] = []): JoinedCalls {
  const entries: Entry[] = [];
  const newest = new Map<number | undefined, Entry>();
  const byId = new Map<string, Entry>();
  for (const piece of pieces) {
    const { index, id, extra_content: extra } = piece;
    const { name, arguments: args = "" } = piece.function ?? {};
    const open = index === undefined ? entries.at(-1) : (newest.get(index) ?? findBegun(piece, byId, entries.at(-1)));
    const entry: Entry =
      open && !beginsCall(open, piece)
        ? open
        : { call: { id: "", name: "", arguments: "" }, findEnd: createObjectScanner(), soFar: "" };
    if (entry !== open) entries.push(entry);
    newest.set(index, entry);
    entry.call.id ||= id ?? "";
    byId.set(entry.call.id, entry);
    // Some servers repeat the whole name with every piece.
    if (name !== entry.call.name) entry.call.name += name ?? "";
    if (args !== "") entry.soFar = entry.soFar !== null && args.startsWith(entry.soFar) ? args : null;
    if (!repeats(entry, args)) entry.call.arguments += args;
    if (entry.findEnd(args) >= 0) entry.whole ??= objectJson(entry.call.arguments);
    if (extra !== undefined) entry.extra = { ...readFields(entry.extra), ...readFields(extra) };
  }
  const answers = before.flatMap((message) => (message.role === "assistant" ? [message.calls] : []));
  const calls = withUniqueIds(entries.map(withNewest), answers);
  const extras = entries.map(({ extra }, position) => [calls[position]?.id, extra] as const);
  return { calls, extras: Object.fromEntries(extras.filter(([, extra]) => extra !== undefined)) };
}

/**
 * Finds the call that a piece with a new index continues, if the piece names no tool: some servers (Nebius, Cerebras, ollama.com) increase the
 * index while a call's arguments arrive, or begin without one.
 */
function findBegun(piece: CallPiece, byId: ReadonlyMap<string, Entry>, last: Entry | undefined): Entry | undefined {
  const { id, function: called = {} } = piece;
  const begun = id ? byId.get(id) : last;
  return called.name || !called.arguments || begun?.whole ? undefined : begun;
}

/**
 * Returns the call. Baidu and others send all arguments so far with each piece (hermes-agent#35718): joined, these are not an object, but the
 * newest piece is.
 */
const withNewest = ({ call, soFar }: Entry): ToolCall =>
  soFar && soFar !== call.arguments && !objectJson(call.arguments) && objectJson(soFar)
    ? { ...call, arguments: soFar }
    : call;

/** Whether these arguments repeat the complete ones. Some gateways do that at the end, some with double encoding. */
const repeats = ({ whole }: Entry, args: string): boolean => Boolean(whole) && objectJson(args) === whole;

/** Returns the object without white space; empty for any other text, and for an object with too many levels to be written again. */
function objectJson(text: string): string {
  const read = parseJson(text);
  const plain = readFields(typeof read === "string" ? parseJson(read) : read);
  // Parsing has no limit of levels, but writing overflows the stack after a few thousand.
  try {
    return plain ? JSON.stringify(plain) : "";
  } catch {
    return "";
  }
}

/**
 * Whether this piece begins a new call, although it has the index of an open one or no index at all. Gemini gives all calls the index 0, or none,
 * and may leave their ids empty; others repeat the id, or the name, with every piece.
 */
function beginsCall(begun: Entry, { index, id, function: called = {} }: CallPiece): boolean {
  const { call: open, whole } = begun;
  const { name, arguments: args = "" } = called;
  // For servers that give every call the same id: another name, or another object, after complete arguments begins a new call. Some calls begin
  // with an empty object.
  if (id && id === open.id) {
    const isOther = args.startsWith("{") && open.arguments !== "{}" && !repeats(begun, args);
    return Boolean(whole && name) && (name !== open.name || isOther);
  }
  // Servers that give each piece a new id name the tool only in the first piece of a call.
  if (id && open.id) return index === undefined || Boolean(name);
  // Without ids to compare, a name starts a new call, unless the open one has no arguments yet (SGLang: vercel/ai#14722).
  if (!name || open.arguments === "" || open.name === "") return false;
  return name !== open.name || Boolean(whole && args);
}

/** Gateways to Anthropic prepend the empty object with which its calls begin. */
const EMPTY_START = /^{}(?={)/;

/** Makes the ids unique. `answers`: the calls of each earlier answer. */
function withUniqueIds(calls: readonly ToolCall[], answers: readonly (readonly ToolCall[])[]): ToolCall[] {
  if (calls.length === 0) return [];
  const given = calls.map(({ id, name }, position) => id || `${name || "call"}-${answers.length}-${position}`);
  const taken = new Set(answers.flat().map(({ id }) => id));
  const reserved = new Set(given);
  // No number is tried twice, whatever the ids are.
  let free = 0;
  return calls.map((call, position) => {
    let id = given[position] ?? "";
    if (taken.has(id)) {
      free = Math.max(free, position);
      const numbered = () => `${given[position]}-${free}`;
      while (taken.has(numbered()) || reserved.has(numbered())) free++;
      id = numbered();
    }
    taken.add(id);
    return { ...call, id, arguments: call.arguments.replace(EMPTY_START, "") };
  });
}
