// Server-sent events as model providers really send them: with any line end, a byte order mark, comments, or an end without a blank line.
// Some send no events at all but one whole body, whatever its content type says.
import { createLines } from "../core/transcript/lines.ts";

/** An event, or what came in the place of events. `isTail`: the stream ended before the event did. */
export type ServerEvent = { kind: "event"; name: string; data: string; isTail?: true } | { kind: "body"; text: string };

/** A picture within an answer comes as one event. */
export const MAX_EVENT_CHARS = 12 * 1024 * 1024;
/** What a line of an event counts beside its characters: an event may have any number of empty ones, and each takes memory. */
const LINE_CHARS = 16;
/** A whole answer is longer than its text: it is escaped, and has figures beside it. */
const MAX_BODY_CHARS = 1024 * 1024;
/** Several times what comes with 200,000 words of reasoning. Comments and empty events may come without an end, as fast as they are read. */
const MAX_STREAM_CHARS = 512 * 1024 * 1024;
/** The most characters that are read of a web page, of which only the title is used. */
const MAX_PAGE_CHARS = 16_384;
/** A server closes its stream right after the last event, unless it is a bad one. */
const END_LIMIT_MS = 1000;
/** After the reason why an answer ended only its usage may come; some servers then neither say that it was all nor hang up. */
const SILENCE_AFTER_FINISH_MS = 3000;

const FIELD = /^(data|event|id|retry)(?:: ?(.*))?$/s;

/** The event after which a stream of completions has nothing more (OpenAI). */
export const isLastData = (data: string): boolean => data.trimStart().startsWith("[DONE]");

/**
 * Yields the events as they arrive, or at its end the body in which there was none. Closes the connection when its caller leaves early, and
 * after three seconds of silence once `isFinished`. After the last event it lets a stream end by itself, so that no server takes a whole
 * answer for one that nobody wanted. Throws what the connection throws, and a `SyntaxError` for an event or a stream without an end.
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

/** A connection that broke can't be closed either. */
const close = (reader: Reader): Promise<void> => reader.cancel().catch(() => {});

/** Reads, and closes the connection when that takes longer: a read then finds the end (Node), or fails as one that broke does (workerd). */
async function readWithin<Read>(reader: Reader, limitMs: number, read: () => Promise<Read>): Promise<Read> {
  const limit = setTimeout(() => void close(reader), limitMs);
  try {
    return await read();
  } finally {
    clearTimeout(limit);
  }
}

/** Reads what is left, whatever it is. Rejects where the connection broke, which ends it too. */
async function readRest(reader: Reader): Promise<void> {
  while (!(await reader.read()).done);
}

function createEvents() {
  let name = "";
  let data: string[] = [];
  let dataChars = 0;
  let hasEvents = false;
  /** Lines that are no field, until there is an event. */
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
    /** There is no event, and no answer is so long. */
    isFull: () => foreign.length > MAX_BODY_CHARS,
    take(line: string): ServerEvent | null {
      if (line === "") return finish();
      const [, field, value = ""] = FIELD.exec(line) ?? [];
      if (field === "event") name = value;
      // Some servers leave out the line after an event (Baseten: opencode#27365). In JSON, no object follows another like this.
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
