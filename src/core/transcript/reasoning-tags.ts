// Separates tagged text from a model's stream: reasoning, which goes to the thought log, and <details> blocks, which are kept but not shown.
// Reasoning is in <think> tags (Gemini: <thought>, MiniMax: <mm:think>, Seed: <seed:think>, Mistral: [THINK]) or in the channels of Gemma,
// Kimi and gpt-oss. Tags may be split over any number of pieces. Inside code they are plain text: in a fence, and after a backtick until the
// next one on the same line. Some servers put the opening tag into the prompt, so that only the closing one arrives: at the beginning of a
// line, or where it can be nothing else, it ends reasoning that was mistaken for the answer.

/** A piece of streamed text, separated by where it belongs. */
export interface Separated {
  text: string;
  thought: string;
  details: string;
  /** All text of earlier pieces was reasoning. At most once in an answer. */
  wasThought?: true;
  /** How many characters at the end of all details turned out to be text, because their tag was never closed. They are in `text` now. */
  wasText?: number;
}

/** Takes text piece by piece. Text that may still become a tag is held back until the next piece or the end. */
export interface ReasoningTagParser {
  push(piece: string): Separated;
  /** Returns the rest at the end of the stream. Unclosed reasoning is still reasoning; unclosed details are text about the tag. */
  end(): Separated;
}

type Section = "text" | "thought" | "details";

const DETAILS = "<details>";
const THOUGHTS = ["<think>", "<thinking>", "<thought>", "<mm:think>", "<seed:think>", "[think]"];
const FENCE = "```";
const TICK = "`";
/** Gemma; Kimi K3; gpt-oss. Whatever gpt-oss says before its answer is in separate messages, and the mark that begins the answer isn't text either. */
const CHANNELS = [
  "<|channel>thought",
  "<|open|>think<|sep|>",
  "<|close|>response<|sep|>",
  "<|channel|>analysis<|message|>",
  "<|channel|>commentary<|message|>",
  "<|start|>assistant",
];
const CLOSERS = [
  ...THOUGHTS.map((tag) => `${tag[0]}/${tag.slice(1)}`),
  "<channel|>",
  "<|open|>response<|sep|>",
  "<|channel|>final<|message|>",
];
/** A mark with one of these never occurs in a person's text. */
const NO_WORD = /[:|]/;
/** Whether this is just a word or a link: in brackets, only capitals are a tag. */
const isWord = (found: string): boolean => found.startsWith("[") && found !== found.toUpperCase();
/** The marks whose beginning may be at the end of a piece. */
const STARTS: Record<Section, string[]> = {
  text: [FENCE, TICK, DETAILS, ...THOUGHTS, ...CHANNELS, ...CLOSERS],
  thought: [...CLOSERS, "<|end|>"],
  details: ["</details>", "<summary>", "</summary>"],
};
const anyOf = (marks: string[]) =>
  new RegExp(
    marks
      .join("\n")
      .replace(/[[\]|]/g, "\\$&")
      .replaceAll("\n", "|"),
    "gi",
  );
/** The marks to look for in each section. */
const MARKS: Record<Section | "fence" | "code", RegExp> = {
  text: anyOf(STARTS.text),
  fence: /```/g,
  code: /```|`|\n/g,
  thought: anyOf(STARTS.thought),
  details: /<\/details>/gi,
};
const SUMMARY_TAGS = /<\/?summary>/gi;

/** Makes the parser for one streamed answer. `looked` gets the number of characters that were searched, for tests. */
export function createReasoningTagParser(looked: (chars: number) => void = () => {}): ReasoningTagParser {
  let section: Section = "text";
  let isInFence = false;
  let isInCode = false;
  let mayHaveThought = true;
  let isAtLineStart = true;
  let held = "";
  // The open details with their tag, and how many of their characters were returned.
  let block = "";
  let returned = 0;

  const take = (isEnd: boolean): Separated => {
    const out: Separated = { text: "", thought: "", details: "" };
    const say = (words: string) => {
      out.text += words;
      // Looking at the end of `out.text` instead would flatten, at each tag, everything that was appended since the last one.
      if (words !== "") isAtLineStart = words.endsWith("\n");
    };
    const put = (words: string) => {
      if (section === "text") return say(words);
      const kept = section === "details" ? words.replace(SUMMARY_TAGS, "") : words;
      out[section] += kept;
      if (section !== "details") return;
      block += words;
      returned += kept.length;
      looked(kept.length);
    };
    let at = 0;
    for (;;) {
      const marks = MARKS[section !== "text" ? section : isInFence ? "fence" : isInCode ? "code" : "text"];
      marks.lastIndex = at;
      const found = marks.exec(held);
      looked((found ? marks.lastIndex : held.length) - at);
      if (!found) break;
      // The last backticks of a piece may be the beginning of a fence.
      const isLast = !isEnd && held.length - found.index < FENCE.length;
      if (isLast && FENCE.startsWith(held.slice(found.index))) break;
      if (isWord(found[0])) {
        put(held.slice(at, marks.lastIndex));
        at = marks.lastIndex;
        continue;
      }
      const mark = found[0].toLowerCase();
      put(held.slice(at, found.index));
      at = found.index + mark.length;
      if (mark === FENCE) {
        say(FENCE);
        isInFence = !isInFence;
        isInCode = false;
      } else if (mark === TICK || mark === "\n") {
        say(mark);
        isInCode = mark === TICK && !isInCode;
      } else if (section === "text" && CLOSERS.includes(mark)) {
        if (mayHaveThought && (isAtLineStart || NO_WORD.test(mark)))
          Object.assign(out, { text: "", thought: out.text, wasThought: true });
        else say(found[0]);
      } else {
        section = section !== "text" ? "text" : mark === DETAILS ? "details" : "thought";
        [block, returned] = [found[0], 0];
      }
      mayHaveThought &&= section !== "thought" && !out.wasThought;
    }
    const end = held.length - (isEnd ? 0 : possibleStart(held.slice(at), STARTS[section]));
    put(held.slice(at, end));
    held = held.slice(end);
    if (isEnd && section === "details") Object.assign(out, { text: out.text + block, wasText: returned });
    return out;
  };
  return {
    push(piece) {
      held += piece;
      return take(false);
    },
    end: () => take(true),
  };
}

/** Returns how many characters at the end may be the beginning of one of the tags. */
function possibleStart(text: string, marks: string[]): number {
  const longest = Math.max(...marks.map((mark) => mark.length)) - 1;
  const end = text.slice(-longest).toLowerCase();
  for (let length = end.length; length > 0; length--)
    if (marks.some((mark) => mark.startsWith(end.slice(-length)))) return length;
  return 0;
}
