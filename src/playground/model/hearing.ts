// Reduces a request to what the local model reacts to: who spoke, what they said, what was said before and what tools returned. Chooses no
// words.
import { type ChatMessage, type ChatRequest, type OfferedTool, readContent } from "./request.ts";

/** One finished call of the current round: the tool's name, its arguments and its result (parsed if it was JSON). */
export type Outcome = { name: string; given: unknown; result: unknown };

/** A text file that came with the words. */
export type HandedFile = { name: string; text: string };

/** The conversation as the model sees it. `said` is without the speaker's name; `rounds` counts the tool rounds of this turn. */
export type Heard = {
  said: string;
  speaker: string | undefined;
  earlier: string[];
  pictures: number;
  files: HandedFile[];
  outcomes: Outcome[];
  rounds: number;
  offered: ReadonlyMap<string, OfferedTool>;
};

// A client may put the speaker before the words: `Mira: hi`, `[Mira] hi`, `[12:30] Mira (owner): hi`, or on a line above them, with more than
// the name: `[Mira · u3 · 14:02]`.
const LINE = /^\s*\[([^\]\n·]{1,40}) · [^\]\n]{1,60}\](?:\n|$)/u;
const SPEAKER =
  /^\s*(?:\[([^\]\n]{1,80})\]:?\s+)?(?:(\p{Lu}[\p{L}\p{N}_.'-]*(?: [\p{L}\p{N}_.'-]+){0,2})(?: \([^)\n]*\))?:\s+)?/u;

/** Reads a request that was already checked. Without a user message, `said` is empty. */
export function hear(request: ChatRequest): Heard {
  const messages = withoutNudge(request);
  const newest = messages.findLastIndex((message) => message.role === "user");
  const { words, files } = unpack(readContent(messages[newest]?.content));
  const { said, speaker } = unwrap(words);
  const turn = messages.slice(newest + 1);
  const content = messages[newest]?.content;
  return {
    said,
    speaker,
    earlier: messages
      .slice(0, Math.max(newest, 0))
      .flatMap((one) => (one.role === "user" ? [readContent(one.content)] : []))
      .filter((text) => !NO_ONES.test(text))
      .map((text) => unwrap(unpack(text).words).said),
    pictures: Array.isArray(content) ? content.filter((piece) => piece.type === "image_url").length : 0,
    files,
    outcomes: readOutcomes(turn),
    rounds: turn.filter((message) => message.role === "assistant" && message.tool_calls).length,
    offered: new Map(
      request.tool_choice === "none" ? [] : (request.tools ?? []).map((tool) => [tool.function.name, tool]),
    ),
  };
}

/** Removes the last user message if it comes after tool results and calls are forbidden: the client's instruction, not a question. */
function withoutNudge({ messages, tool_choice }: ChatRequest): ChatRequest["messages"] {
  const isNudge = tool_choice === "none" && messages.at(-1)?.role === "user" && messages.at(-2)?.role === "tool";
  return isNudge ? messages.slice(0, -1) : messages;
}

// The content of a file does not count as said: it may ask for dice although the person did not.
const FILE = /\n*\[content of ([^\]\n]+?)(?:, only its beginning)?\]\n([\s\S]*?)\n\[end of \1\]/g;
const ABOUT_FILES =
  /\n+\[(?:files?|picture|voice note|sticker|poll|you can't (?:see|listen to) these files): [^\]\n]*\]/g;

// The beginnings of what a client adds to the conversation. Nobody has asked that.
const NO_ONES =
  /^(?:(?:Your notes about|Overheard in) this channel|Notes on the earlier conversation|What the person who asks now wants you to remember)\b/;

// A quote of someone else is not the question, unless the message contains nothing else.
const QUOTED = /\n*\[quoted: [^\]\n]*\](?:\n(?:>[^\n]*|[^\n]+ wrote:))*/g;

function unpack(text: string): { words: string; files: HandedFile[] } {
  const files = [...text.matchAll(FILE)].map(([, name = "", content = ""]) => ({ name, text: content }));
  const words = text.replace(FILE, "").replace(ABOUT_FILES, "");
  const own = words.replace(QUOTED, "");
  return { words: unwrap(own).said === "" ? words : own, files };
}

function unwrap(text: string): { said: string; speaker: string | undefined } {
  const [line, above] = LINE.exec(text) ?? [];
  if (line !== undefined) return { said: text.slice(line.length).trim(), speaker: above };
  const [prefix = "", bracketed, named] = SPEAKER.exec(text) ?? [];
  return { said: text.slice(prefix.length).trim(), speaker: named ?? bracketed };
}

function readOutcomes(turn: readonly ChatMessage[]): Outcome[] {
  const asked = turn.findLast((message) => message.role === "assistant" && message.tool_calls);
  if (asked?.role !== "assistant") return [];
  return (asked.tool_calls ?? []).map((call) => {
    const reply = turn.find((message) => message.role === "tool" && message.tool_call_id === call.id);
    return {
      name: call.function.name,
      given: jsonOr(call.function.arguments),
      result: jsonOr(readContent(reply?.content)),
    };
  });
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
