// Reads server-sent events as model providers really send them: with any line ending, a byte order mark, comments, or no blank line at
// the end. Some send no events at all but one whole body, whatever its content type says.
import { createLines } from "../core/transcript/lines.ts";

/** An event, or what came in place of events. `isTail`: the stream ended before the event did. */
export type ServerEvent = { kind: "event"; name: string; data: string; isTail?: true } | { kind: "body"; text: string };

/** The limit of one event: a picture within an answer comes as one. */
export const MAX_EVENT_CHARS = 12 * 1024 * 1024;
/** What a line of an event counts in addition to its characters: an event may have any number of empty lines, and each takes memory. */
const LINE_CHARS = 16;
/** A whole answer is longer than its text: it is escaped, and contains figures as well. */
const MAX_BODY_CHARS = 1024 * 1024;
/** Several times the length of an answer with 200,000 words of reasoning. Comments and empty events may come endlessly, as fast as they are read. */
const MAX_STREAM_CHARS = 512 * 1024 * 1024;
/** The most characters that are read of a web page. Only its title is used. */
const MAX_PAGE_CHARS = 16_384;
/** A server closes its stream right after the last event, unless it misbehaves. */
const END_LIMIT_MS = 1000;
/** After the finish reason only the usage may follow. Some servers then neither say that this was all nor close the connection. */
const SILENCE_AFTER_FINISH_MS = 3000;

const FIELD = /^(data|event|id|retry)(?:: ?(.*))?$/s;

/** Whether this is the event after which a stream of completions contains nothing more (OpenAI). */
export const isLastData = (data: string): boolean => data.trimStart().startsWith("[DONE]");

/**
 * Yields the events as they arrive or, if there was none, the body at its end. Closes the connection when its caller leaves early, and after
 * three seconds of silence once `isFinished`. After the last event it lets the stream end by itself, so that a server that has sent a whole
 * answer does not count it as canceled. Throws what the connection throws, and a `SyntaxError` for an event or a stream without an end.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array> | null,
  isFinished: () => boolean,
  maxChars = MAX_STREAM_CHARS,
): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = createLines();
  const events = createEvents();
  let isPage: boolean | null = null;
  let chars = 0;
  let isOver = false;
  try {
    for (let isEnd = false; !isEnd; ) {
      const { done, value } = await (isFinished()
        ? readWithin(reader, SILENCE_AFTER_FINISH_MS, () => reader.read())
        : reader.read());
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      chars += text.length;
      if (text.trimStart() !== "") isPage ??= text.trimStart().startsWith("<");
      isEnd = done || events.isFull() || (isPage === true && chars > MAX_PAGE_CHARS);
      for (const line of lines.push(text, isEnd)) {
        const event = events.take(line);
        if (!event) continue;
        isOver = event.kind === "event" && isLastData(event.data);
        yield event;
      }
      if (lines.openChars() + events.openChars() > MAX_EVENT_CHARS) throw new SyntaxError("an event has no end");
      if (chars > maxChars) throw new SyntaxError("the stream has no end");
    }
    const rest = events.end();
    if (rest) yield rest;
  } finally {
    if (isOver) void readWithin(reader, END_LIMIT_MS, () => readRest(reader)).catch(() => {});
    else await close(reader);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Closes the connection. One that broke can't be closed, which is ignored. */
const close = (reader: Reader): Promise<void> => reader.cancel().catch(() => {});

/**
 * Reads within a time limit, after which it closes the connection: a read then finds the end (Node), or fails as on a broken connection
 * (workerd).
 */
async function readWithin<Read>(reader: Reader, limitMs: number, read: () => Promise<Read>): Promise<Read> {
  const limit = setTimeout(() => void close(reader), limitMs);
  try {
    return await read();
  } finally {
    clearTimeout(limit);
  }
}

/** Reads and drops what is left. Rejects if the connection broke, which ends it too. */
async function readRest(reader: Reader): Promise<void> {
  while (!(await reader.read()).done);
}

function createEvents() {
  let name = "";
  let data: string[] = [];
  let dataChars = 0;
  let hasEvents = false;
  /** Lines that are not fields, until there is an event. */
  let foreign = "";
  const finish = (): ServerEvent | null => {
    const event = data.length > 0 ? ({ kind: "event", name, data: data.join("\n") } as const) : null;
    name = "";
    data = [];
    dataChars = 0;
    hasEvents ||= event !== null;
    return event;
  };
  return {
    openChars: () => dataChars,
    /** Whether there is no event, and more text than any answer has. */
    isFull: () => foreign.length > MAX_BODY_CHARS,
    take(line: string): ServerEvent | null {
      if (line === "") return finish();
      const [, field, value = ""] = FIELD.exec(line) ?? [];
      if (field === "event") name = value;
      // Some servers leave out the blank line after an event (Baseten: opencode#27365). In JSON, no object follows another like this.
      const early =
        field === "data" && /\}\s*$/.test(data.at(-1) ?? "") && /^(?:\{|\[DONE)/.test(value) ? finish() : null;
      if (field === "data") {
        data.push(value);
        dataChars += value.length + LINE_CHARS;
      }
      const isForeign = field === undefined && !line.startsWith(":") && !hasEvents && data.length === 0;
      if (isForeign) foreign += `${line}\n`;
      return early;
    },
    end(): ServerEvent | null {
      const last = finish();
      if (last?.kind === "event") return { ...last, isTail: true };
      return hasEvents || foreign.trim() === "" ? null : { kind: "body", text: foreign };
    },
  };
}
