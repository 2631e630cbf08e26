// Removes tool calls that a model writes as text although it has, or had, a better way to call. They are never posted and, in native
// mode, never run. Works on a stream: holds back only text that may begin a call, and lets prose about tools pass.

import { createObjectScanner } from "../../core/transcript/object-end.ts";

/** Removes leaked calls from a stream of text. */
export interface LeakFilter {
  /** Takes the next piece of a reply; returns the text that may be shown now. */
  push(piece: string): string;
  /** Returns the rest when the reply ends. */
  end(): string;
  /** Whether anything was removed. */
  hasLeaked(): boolean;
}

/** Where bare and fenced JSON counts as a call: in native mode only at the start of the reply, in fallback mode on any line. */
export type JsonLeaks = "at_start" | "on_any_line";

/** The notation of one model family. `head`: what must follow the tag, so that a tag that is only mentioned does not count. */
interface Dialect {
  open: string;
  /** Null: the call extends to the end of the reply. */
  close: string | null;
  head: RegExp;
}

const DIALECTS: readonly Dialect[] = [
  // GLM begins with the name itself.
  { open: "<tool_call>", close: "</tool_call>", head: /^\s*[[{<]|^\n?[\w.-]+\s*(?:<|$)/ },
  { open: "<tool_calls>", close: "</tool_calls>", head: /^\s*[[{<]/ },
  { open: "<function_call>", close: "</function_call>", head: /^\s*[[{<]/ },
  { open: "<function_calls>", close: "</function_calls>", head: /^\s*[[{<]/ },
  { open: "<invoke name=", close: "</invoke>", head: /^["']?\w/ },
  { open: "<function=", close: "</function>", head: /^\w/ },
  { open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>", head: /^\s*</ },
  { open: "<|tool_call_begin|>", close: "<|tool_call_end|>", head: /^\s*\w/ },
  { open: "<|tool_call>", close: "<tool_call|>", head: /^\s*\w/ },
  { open: "<|channel|>commentary", close: "<|call|>", head: /^\s*to/ },
  { open: "<|open|>tools", close: null, head: /^<|^call/ },
  { open: "<minimax:tool_call>", close: "</minimax:tool_call>", head: /^\s*</ },
  // DeepSeek's own bar, and the variants that the model and the servers that run it write instead.
  ...["｜", "｜｜", "‖", "|"].map((bar) => ({ open: `<${bar}DSML${bar}`, close: null, head: /^ ?\w/ })),
  { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>", head: /^\s*</ },
  { open: "<|python_tag|>", close: null, head: /^\s*[\w{]/ },
  { open: "[TOOL_CALLS]", close: null, head: /^\s*[\w[{]/ },
  { open: "[TOOL RESULT:", close: null, head: /^ ?\w/ },
];
/** How many characters after a tag show whether a call begins. */
const HEAD_CHARS = 2;
/** A name at the end of the text so far: what follows it also decides. */
const OPEN_NAME = /^\n?[\w.-]+\s*$/;
/** A call names its tool near its beginning. */
const NAME_WITHIN_CHARS = 300;
/** Room for the name and the tags around it. Only this much text is judged, so the cost of a judgment is bounded. */
const JUDGED_CHARS = 400;
/** The start of a call in JSON. Some begin with their type, or are nested in a field, as native calls are. */
const JSON_START =
  /^(?:```\w*[ \t]*\n\s*)?\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?(?:"function"\s*:\s*\{\s*)?"(?:tool|name|tool_name|function)"\s*:\s*"([^"\n]{1,64})"/;
const FENCE = "```";
/** The beginning of such a start, which more text may complete. */
const JSON_PREFIX =
  /^(?:`{1,2}|```\w*[ \t]*(?:\n\s*)?)?(?:\{\s*(?:"type"\s*:\s*"function"\s*(?:,\s*)?)?(?:"function"\s*:\s*\{\s*)?(?:"[a-z_]{0,9}(?:"\s*(?::\s*(?:"[^"\n]{0,64})?)?)?)?)?$/;

/** Takes a leak in pieces, each once. Returns the position in the piece at which the leak ends, or -1. */
type EndFinder = (piece: string) => number;

type Verdict = { kind: "prose" } | { kind: "undecided" } | { kind: "leak"; end: EndFinder };

/**
 * Creates a filter for one reply. `names`: the tools that exist, offered or not. `looked` gets the number of characters that were looked at, for
 * tests.
 */
export function createLeakFilter(
  names: readonly string[],
  json: JsonLeaks = "at_start",
  looked: (chars: number) => void = () => {},
): LeakFilter {
  const known = new Set(names);
  let pending = "";
  let isLineStart = true;
  let isBlank = true;
  let leaked = false;
  let findEnd: EndFinder | null = null;

  const show = (text: string): string => {
    if (text === "") return "";
    isBlank &&= text.trim() === "";
    isLineStart = /(?:^|\n)[ \t]*$/.test(text) && (isLineStart || text.includes("\n"));
    return text;
  };
  const judge = (isEnd: boolean): Verdict => {
    if (!isEnd && isPartialOpening(pending)) return { kind: "undecided" };
    const start = pending.slice(0, JUDGED_CHARS);
    const isAll = isEnd || start.length === JUDGED_CHARS;
    looked(start.length);
    const dialect = DIALECTS.find(({ open }) => start.startsWith(open));
    if (dialect) return judgeTag(dialect, start, known, isAll);
    const counts = isLineStart && (json === "on_any_line" || isBlank);
    return counts ? judgeJson(start, known, isAll) : { kind: "prose" };
  };
  const advance = (isEnd: boolean): string => {
    let shown = "";
    for (;;) {
      if (findEnd) {
        const end = findEnd(pending);
        looked(end < 0 ? pending.length : end);
        pending = end < 0 ? "" : pending.slice(end);
        if (end < 0) return shown;
        findEnd = null;
      }
      const start = nextCandidate(pending);
      looked(start);
      shown += show(pending.slice(0, start));
      pending = pending.slice(start);
      if (pending === "") return shown;
      const verdict = judge(isEnd);
      if (verdict.kind === "undecided") return shown;
      if (verdict.kind === "leak") {
        leaked = true;
        findEnd = verdict.end;
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

/** Returns the position of the next text that may be a call; the text's length if there is none. */
function nextCandidate(text: string): number {
  const found = text.search(/[<[{`]/);
  return found < 0 ? text.length : found;
}

const isPartialOpening = (text: string): boolean => DIALECTS.some(({ open }) => open.startsWith(text));

function judgeTag({ open, close, head }: Dialect, text: string, known: ReadonlySet<string>, isEnd: boolean): Verdict {
  const content = text.slice(open.length);
  if (!isEnd && (content.trim().length < HEAD_CHARS || OPEN_NAME.test(content))) return { kind: "undecided" };
  if (!head.test(content)) return { kind: "prose" };
  const closeAt = close === null ? -1 : content.indexOf(close);
  const near = content.slice(0, closeAt < 0 ? NAME_WITHIN_CHARS : Math.min(closeAt, NAME_WITHIN_CHARS));
  const isComplete = isEnd || closeAt >= 0 || near.length === NAME_WITHIN_CHARS;
  // A word at the very end of a stream may still grow into another.
  const words = near.match(isComplete ? /[\w-]+/g : /[\w-]+(?=[^\w-])/g) ?? [];
  if (words.some((word) => known.has(word))) return { kind: "leak", end: createTextFinder(close) };
  return { kind: isComplete ? "prose" : "undecided" };
}

/** Finds the position after a text, which may be split over several pieces. With null, nothing is ever found. */
function createTextFinder(wanted: string | null): EndFinder {
  let before = "";
  return (piece) => {
    if (wanted === null) return -1;
    const text = before + piece;
    const at = text.indexOf(wanted);
    if (at >= 0) return at + wanted.length - before.length;
    before = text.slice(1 - wanted.length);
    return -1;
  };
}

function judgeJson(text: string, known: ReadonlySet<string>, isEnd: boolean): Verdict {
  const name = JSON_START.exec(text)?.[1];
  if (name === undefined) return { kind: !isEnd && JSON_PREFIX.test(text) ? "undecided" : "prose" };
  return known.has(name) ? { kind: "leak", end: createBlockFinder(text.startsWith(FENCE)) } : { kind: "prose" };
}

/** Finds the end of the object with which the text begins, and of the fence around it. */
function createBlockFinder(isFenced: boolean): EndFinder {
  const endOfObject = createObjectScanner();
  const endOfFence = createTextFinder(FENCE);
  let isObjectOver = false;
  return (piece) => {
    let at = 0;
    if (!isObjectOver) {
      at = endOfObject(piece);
      if (at < 0 || !isFenced) return at;
      isObjectOver = true;
    }
    const end = endOfFence(piece.slice(at));
    return end < 0 ? -1 : at + end;
  };
}
