// Text tool calls from a model that has, or had, a better way to call. They are never posted and, in native mode, never run.
// Works on a stream: holds back only text that may begin a call, and lets prose about tools pass.

import { endOfObject } from "../read-json.ts";

/** Removes leaked calls from a stream of text. */
export interface LeakFilter {
  /** Takes the next piece of a reply; returns the text that may be shown now. */
  push(piece: string): string;
  /** Returns the rest when the reply ends. */
  end(): string;
  /** Was anything removed? Then the caller should ask the model again or tell it. */
  hasLeaked(): boolean;
}

/** Where bare and fenced JSON counts: in native mode only at the start of the reply, in fallback mode on any line. */
export type JsonLeaks = "at_start" | "on_any_line";

/** The notation of one model family. `head`: what must follow, so that a tag that is only mentioned does not count. */
interface Dialect {
  open: string;
  /** Null: up to the end of the reply. */
  close: string | null;
  head: RegExp;
}

const DIALECTS: readonly Dialect[] = [
  { open: "<tool_call>", close: "</tool_call>", head: /^\s*[[{<]/ },
  { open: "<tool_calls>", close: "</tool_calls>", head: /^\s*[[{<]/ },
  { open: "<function_call>", close: "</function_call>", head: /^\s*[[{<]/ },
  { open: "<function_calls>", close: "</function_calls>", head: /^\s*[[{<]/ },
  { open: "<invoke name=", close: "</invoke>", head: /^["']?\w/ },
  { open: "<function=", close: "</function>", head: /^\w/ },
  { open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>", head: /^\s*</ },
  { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>", head: /^\s*</ },
  { open: "<|python_tag|>", close: null, head: /^\s*[\w{]/ },
  { open: "[TOOL_CALLS]", close: null, head: /^\s*[\w[{]/ },
  { open: "[TOOL RESULT:", close: null, head: /^ ?\w/ },
];
/** How many characters after a tag show whether a call begins. */
const HEAD_CHARS = 2;
/** A call names its tool near its beginning. */
const NAME_WITHIN_CHARS = 300;
const JSON_START = /^(?:```\w*[ \t]*\n\s*)?\{\s*"(?:tool|name|tool_name|function)"\s*:\s*"([^"\n]{1,64})"/;
/** Text that may still become such a start when more comes. */
const JSON_PREFIX =
  /^(?:`{1,2}|```\w*[ \t]*(?:\n\s*)?)?(?:\{\s*(?:"[a-z_]{0,9}(?:"\s*(?::\s*(?:"[^"\n]{0,64})?)?)?)?)?$/;

type Verdict = { kind: "prose" } | { kind: "undecided" } | { kind: "leak"; endOf: (text: string) => number };

/** Makes a filter for one reply. `names`: every tool that exists, offered or not. */
export function createLeakFilter(names: readonly string[], json: JsonLeaks = "at_start"): LeakFilter {
  const known = new Set(names);
  let pending = "";
  let isLineStart = true;
  let isBlank = true;
  let leaked = false;
  let endOf: ((text: string) => number) | null = null;

  const show = (text: string): string => {
    if (text === "") return "";
    isBlank &&= text.trim() === "";
    isLineStart = /(?:^|\n)[ \t]*$/.test(text) && (isLineStart || text.includes("\n"));
    return text;
  };
  const judge = (text: string, isEnd: boolean): Verdict => {
    const dialect = DIALECTS.find(({ open }) => text.startsWith(open));
    if (dialect) return judgeTag(dialect, text, known, isEnd);
    const counts = isLineStart && (json === "on_any_line" || isBlank);
    return counts ? judgeJson(text, known, isEnd) : { kind: "prose" };
  };
  const advance = (isEnd: boolean): string => {
    let shown = "";
    for (;;) {
      if (endOf) {
        const end = endOf(pending);
        if (end < 0 && !isEnd) return shown;
        pending = end < 0 ? "" : pending.slice(end);
        endOf = null;
      }
      const start = nextCandidate(pending);
      shown += show(pending.slice(0, start));
      pending = pending.slice(start);
      if (pending === "") return shown;
      const verdict = isPartialOpening(pending) && !isEnd ? ({ kind: "undecided" } as const) : judge(pending, isEnd);
      if (verdict.kind === "undecided") return shown;
      if (verdict.kind === "leak") {
        leaked = true;
        endOf = verdict.endOf;
      } else {
        shown += show(pending.slice(0, 1));
        pending = pending.slice(1);
      }
    }
  };
  return {
    push(piece) {
      pending += piece;
      return advance(false);
    },
    end: () => advance(true),
    hasLeaked: () => leaked,
  };
}

/** Removes leaked calls from a complete text. */
export function withoutLeaks(text: string, names: readonly string[]): { text: string; leaked: boolean } {
  const filter = createLeakFilter(names);
  const shown = filter.push(text) + filter.end();
  return { text: filter.hasLeaked() ? shown.trim() : shown, leaked: filter.hasLeaked() };
}

/** The position of the next text that may be a call; the text's length if there is none. */
function nextCandidate(text: string): number {
  const found = text.search(/[<[{`]/);
  return found < 0 ? text.length : found;
}

const isPartialOpening = (text: string): boolean =>
  DIALECTS.some(({ open }) => text.length < open.length && open.startsWith(text));

function judgeTag({ open, close, head }: Dialect, text: string, known: ReadonlySet<string>, isEnd: boolean): Verdict {
  const content = text.slice(open.length);
  if (content.trim().length < HEAD_CHARS && !isEnd) return { kind: "undecided" };
  if (!head.test(content)) return { kind: "prose" };
  const closeAt = close === null ? -1 : content.indexOf(close);
  const near = content.slice(0, closeAt < 0 ? NAME_WITHIN_CHARS : Math.min(closeAt, NAME_WITHIN_CHARS));
  const isComplete = isEnd || closeAt >= 0 || near.length === NAME_WITHIN_CHARS;
  // A word at the very end of a stream may still grow into another.
  const words = near.match(isComplete ? /[\w-]+/g : /[\w-]+(?=[^\w-])/g) ?? [];
  if (words.some((word) => known.has(word))) return { kind: "leak", endOf: (rest) => endAfter(rest, close) };
  return { kind: isComplete ? "prose" : "undecided" };
}

function endAfter(text: string, close: string | null): number {
  const at = close === null ? -1 : text.indexOf(close);
  return at < 0 || close === null ? -1 : at + close.length;
}

function judgeJson(text: string, known: ReadonlySet<string>, isEnd: boolean): Verdict {
  const name = JSON_START.exec(text)?.[1];
  if (name !== undefined) return known.has(name) ? { kind: "leak", endOf: endOfBlock } : { kind: "prose" };
  return { kind: !isEnd && JSON_PREFIX.test(text) ? "undecided" : "prose" };
}

/** The end of the object that begins the text, with the fence around it; -1 while it is open. */
function endOfBlock(text: string): number {
  const end = endOfObject(text);
  if (end < 0 || !text.startsWith("```")) return end;
  const close = text.indexOf("```", end);
  return close < 0 ? -1 : close + 3;
}
