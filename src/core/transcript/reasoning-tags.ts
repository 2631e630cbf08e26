// Separates tags from a model's stream: reasoning in <think> tags, which goes to the thought log, and <details> blocks,
// which are kept but not shown. Tags may be split over any number of pieces; inside a code fence they are plain text.

/** A piece of streamed text, separated by where it belongs. */
export interface Separated {
  text: string;
  thought: string;
  details: string;
}

/** Takes text piece by piece. Text that may still become a tag is held back until the next piece or the end. */
export interface ReasoningTagParser {
  push(piece: string): Separated;
  /** Returns the rest at the end of the stream. A tag that was never closed still counts as open. */
  end(): Separated;
}

type Section = "text" | "thought" | "details";

const OPENERS: Record<string, Section> = { "<think>": "thought", "<thinking>": "thought", "<details>": "details" };
const CLOSERS: Record<Exclude<Section, "text">, string[]> = {
  thought: ["</think>", "</thinking>"],
  details: ["</details>"],
};
const FENCE = "```";
const SUMMARY_TAGS = /<\/?summary>/gi;

/** Makes the parser of one streamed answer. */
export function createReasoningTagParser(): ReasoningTagParser {
  let section: Section = "text";
  let isInFence = false;
  let held = "";

  const take = (isEnd: boolean): Separated => {
    const out: Separated = { text: "", thought: "", details: "" };
    for (;;) {
      const marks = section === "text" ? [FENCE, ...(isInFence ? [] : Object.keys(OPENERS))] : CLOSERS[section];
      const found = firstMark(held, marks);
      if (!found) break;
      out[section] += held.slice(0, found.at);
      held = held.slice(found.at + found.mark.length);
      if (found.mark === FENCE) {
        out.text += FENCE;
        isInFence = !isInFence;
      } else section = section === "text" ? (OPENERS[found.mark] ?? "text") : "text";
    }
    const keep = isEnd
      ? 0
      : possibleStart(held, section === "text" ? [FENCE, ...Object.keys(OPENERS)] : CLOSERS[section]);
    out[section] += held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    out.details = out.details.replace(SUMMARY_TAGS, "");
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

function firstMark(text: string, marks: string[]): { at: number; mark: string } | null {
  const lower = text.toLowerCase();
  let first: { at: number; mark: string } | null = null;
  for (const mark of marks) {
    const at = lower.indexOf(mark);
    if (at >= 0 && (!first || at < first.at)) first = { at, mark };
  }
  return first;
}

/** How many characters at the end may be the beginning of one of the tags. */
function possibleStart(text: string, marks: string[]): number {
  const lower = text.toLowerCase();
  const longest = Math.max(...marks.map((mark) => mark.length)) - 1;
  for (let length = Math.min(longest, lower.length); length > 0; length--)
    if (marks.some((mark) => mark.startsWith(lower.slice(-length)))) return length;
  return 0;
}
