// The conversation as a model must see it: a limited window of the channel's messages in which every tool call has
// exactly one result. Providers refuse a whole request over one call without a result, so every request is repaired
// first.
import { MAX_TRANSCRIPT_ROWS, MAX_TRANSCRIPT_TOKENS } from "../limits.ts";
import { estimateTokens } from "./tokens.ts";

/** One tool call of a model's answer. `id` is the model's, not unique; `arguments` is JSON text, as the model wrote it. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
  /** The model's reason for the call, if it gave one. */
  reasoning?: string;
  /** The answer was cut off inside these arguments, so the call never runs, whatever they look like. */
  truncated?: true;
}

/** One message of the conversation. A tool message answers the call with its id in the assistant message before it. */
export type Message =
  | { role: "user"; text: string; images?: string[] }
  | { role: "assistant"; text: string; calls: ToolCall[]; native?: NativeParts }
  | { role: "tool"; callId: string; text: string };

/** What a provider wants back unchanged with its own answer: signatures, reasoning items. Opaque to everyone else. */
export type NativeParts = Record<string, unknown>;

/** The result for a call that never got one, so that no model assumes it was done. */
export const NO_RESULT = JSON.stringify({ status: "no_result", note: "no result; do not assume that it ran" });

/** Messages that must stay together: a user's message, or an answer with the results of its calls. */
type Group = Message[];

/** How much conversation a request may contain. */
export interface WindowLimits {
  rows: number;
  tokens: number;
}

/** The window of a model whose own limit is unknown. */
export const USUAL_WINDOW: WindowLimits = { rows: MAX_TRANSCRIPT_ROWS, tokens: MAX_TRANSCRIPT_TOKENS };

/**
 * Selects the newest messages of `earlier` turns and of the `current` one that fit the limits, oldest first. The current
 * turn's question and its newest round are always kept, however long: the question is being answered, and without the
 * newest round a model would ask for the same results again. Earlier turns are included only when the current one fits
 * completely, and begin with a user's message.
 */
export function selectWindow(earlier: Message[], current: Message[], limits: WindowLimits = USUAL_WINDOW): Message[] {
  const [question = [], ...rounds] = groupMessages(current);
  const newest = rounds.pop() ?? [];
  const spent = { rows: question.length + newest.length, tokens: tokensOfAll(question) + tokensOfAll(newest) };
  const keptRounds = newestThatFit(rounds, limits, spent);
  if (keptRounds.length < rounds.length) return [question, ...keptRounds, newest].flat();
  const history = newestThatFit(groupMessages(earlier), limits, spent);
  const firstUser = history.findIndex((group) => group[0]?.role === "user");
  return [...(firstUser < 0 ? [] : history.slice(firstUser)), question, ...keptRounds, newest].flat();
}

function newestThatFit(groups: Group[], limits: WindowLimits, spent: WindowLimits): Group[] {
  let first = groups.length;
  while (first > 0) {
    const group = groups[first - 1] ?? [];
    const tokens = tokensOfAll(group);
    if (spent.rows + group.length > limits.rows || spent.tokens + tokens > limits.tokens) break;
    spent.rows += group.length;
    spent.tokens += tokens;
    first--;
  }
  return groups.slice(first);
}

/** Repairs messages: exactly one result for each call, in the order of the calls, and no result without a call. */
export function repair(messages: Message[]): Message[] {
  return groupMessages(messages).flatMap((group) => {
    const [head, ...results] = group;
    if (!head || head.role === "tool") return [];
    if (head.role === "user" || head.calls.length === 0) return [head];
    if (isWhole(head.calls, results)) return group;
    return [head, ...head.calls.map((call, position) => findResult(call, position, head.calls, results))];
  });
}

/** Most answers are complete: only those after a crash or a stop, or from an unusual server, need repair. */
function isWhole(calls: ToolCall[], results: Message[]): boolean {
  const isAnswered = (result: Message, position: number) =>
    result.role === "tool" && result.callId === calls[position]?.id;
  return results.length === calls.length && results.every(isAnswered);
}

/** Pairs by position among calls with the same id, because some servers give every call the same id. */
function findResult(call: ToolCall, position: number, calls: ToolCall[], results: Message[]): Message {
  const nth = calls.slice(0, position).filter((other) => other.id === call.id).length;
  const found = results.filter((result) => result.role === "tool" && result.callId === call.id)[nth];
  return found ?? { role: "tool", callId: call.id, text: NO_RESULT };
}

function groupMessages(messages: Message[]): Group[] {
  const groups: Group[] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === "tool" && last) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** The estimated tokens of a conversation. */
export function tokensOfAll(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfOne(message), 0);
}

/** Messages never change, and a long turn counts the same ones before every request. */
const counted = new WeakMap<Message, number>();

function tokensOfOne(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const calls = message.role === "assistant" ? message.calls : [];
  const tokens = calls.reduce(
    (sum, call) => sum + estimateTokens(call.name + call.arguments),
    estimateTokens(message.text),
  );
  counted.set(message, tokens);
  return tokens;
}
