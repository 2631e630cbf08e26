// Prepares the conversation for a model: a limited window of the channel's messages in which every tool call has exactly
// one result. Providers refuse a whole request over one call without a result, so every request is repaired first.
import { MAX_TRANSCRIPT_ROWS, MAX_TRANSCRIPT_TOKENS } from "../limits.ts";
import type { PartTaint } from "../taint/taint.ts";
import { estimateTokens } from "./tokens.ts";

/** One tool call of a model's answer. `id` is the model's and not unique; `arguments` is JSON text, as the model wrote it. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
  /** The model's reason for the call, if it gave one. */
  reasoning?: string;
  /** The answer was cut off inside these arguments, so the call never runs, whatever they look like. */
  truncated?: true;
}

/**
 * One message of the conversation. A tool message answers the call with its id in the assistant message before it. `taint`: strangers
 * may have written it.
 */
export type Message =
  | { role: "user"; text: string; images?: string[]; taint?: PartTaint }
  | { role: "assistant"; text: string; calls: ToolCall[]; native?: NativeParts; taint?: PartTaint }
  | { role: "tool"; callId: string; text: string; taint?: PartTaint };

/** What a provider wants returned unchanged with its own answer: signatures, reasoning items. Opaque to everyone else. */
export type NativeParts = Record<string, unknown>;

/** The result of a call that never got one, so that no model assumes that it ran. */
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

/** Returns the number of a message in its channel; undefined if it has none. */
export type NumberOf = (message: Message) => number | undefined;

/**
 * Selects the newest messages of `earlier` turns and of the `current` one that fit the limits, oldest first. It takes fewer than would
 * fit, so that the beginning rarely changes. The current turn's question and its newest round are always kept, however long: the
 * question is being answered, and without the newest round a model would ask for the same results again. Earlier turns are
 * included only if the current one fits completely, and begin with a user's message.
 */
export function selectWindow(
  earlier: Message[],
  current: Message[],
  limits: WindowLimits = USUAL_WINDOW,
  numberOf: NumberOf = () => undefined,
): Message[] {
  const history = groupMessages(earlier);
  const [question = [], ...rounds] = groupMessages(current);
  const sizeFrom = sumSizes([...history, question, ...rounds], history.length);
  const fill = (at: number) => {
    const { rows, tokens } = sizeFrom(at);
    return Math.max(rows / limits.rows, tokens / limits.tokens);
  };
  if (fill(history.length) > 1) {
    const places = rounds.map((_, at) => ({ at, number: at }));
    const first = chooseStart(places, (at) => fill(history.length + 1 + at)) ?? rounds.length - 1;
    return [question, ...rounds.slice(Math.max(0, first))].flat();
  }
  const starts = history.flatMap(([head], at) => (head?.role === "user" ? [{ at, number: numberOf(head) ?? at }] : []));
  const first = chooseStart(starts, fill) ?? history.length;
  return [...history.slice(first), question, ...rounds].flat();
}

/** A full window is never cut to a smaller share than this, if possible. */
const LEAST_FILL = 0.4;

/**
 * Chooses where the window begins: at the first place if everything fits. A window that lost its oldest message with each new one would
 * never be in a provider's cache. So only a few places are good beginnings: those where the number passes a multiple of a high power
 * of two. The best one is the same for many turns, whatever was read before it. Null if nothing fits.
 */
function chooseStart(places: readonly { at: number; number: number }[], fill: (at: number) => number): number | null {
  const fitting = places.flatMap(({ at, number }, place) => {
    const share = fill(at);
    const before = places[place - 1]?.number ?? number;
    return share <= 1 ? [{ at, share, rank: 32 - Math.clz32(number ^ before) }] : [];
  });
  const [oldest] = fitting;
  if (!oldest || oldest.at === places[0]?.at) return oldest?.at ?? null;
  const good = fitting.filter(({ share }) => share >= LEAST_FILL);
  return good.reduce((best, one) => (one.rank > best.rank ? one : best), good[0] ?? oldest).at;
}

/** Returns a function that gives the size of everything from a group on. The question counts even if it is before that group. */
function sumSizes(groups: readonly Group[], question: number) {
  const sums = [{ rows: 0, tokens: 0 }];
  for (const group of groups.toReversed()) {
    const { rows, tokens } = sums.at(-1) ?? { rows: 0, tokens: 0 };
    sums.push({ rows: rows + group.length, tokens: tokens + tokensOfAll(group) });
  }
  const asked = groups[question] ?? [];
  return (at: number) => {
    const { rows, tokens } = sums[groups.length - at] ?? { rows: 0, tokens: 0 };
    return at > question ? { rows: rows + asked.length, tokens: tokens + tokensOfAll(asked) } : { rows, tokens };
  };
}

/** Repairs messages so that each call has exactly one result, in the order of the calls, and no result is without a call. */
export function repair(messages: Message[]): Message[] {
  return groupMessages(messages).flatMap((group) => {
    const [head, ...results] = group;
    if (!head || head.role === "tool") return [];
    if (head.role === "user" || head.calls.length === 0) return [head];
    if (isWhole(head.calls, results)) return group;
    return [head, ...head.calls.map((call, position) => findResult(call, position, head.calls, results))];
  });
}

/** Whether each call has its result. Most answers do: only those after a crash or a stop, or from an unusual server, need repair. */
function isWhole(calls: ToolCall[], results: Message[]): boolean {
  const isAnswered = (result: Message, position: number) =>
    result.role === "tool" && result.callId === calls[position]?.id;
  return results.length === calls.length && results.every(isAnswered);
}

/** Finds a call's result, by position among calls with the same id, because some servers give every call the same id. */
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

/** Returns the estimated tokens of a conversation. */
export function tokensOfAll(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfOne(message), 0);
}

/** A cache: messages never change, and a long turn counts the same ones before every request. */
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
