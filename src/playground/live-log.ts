// Keeps the newest lines that processes wrote, for a page, and passes new ones to listeners.

/** A line with its number and time, in epoch milliseconds. */
export interface KeptLine {
  number: number;
  at: number;
  level: string;
  text: string;
}

/** The lines of one start. */
export interface LiveLog {
  add(level: string, text: string): void;
  /** The kept lines after this number, oldest first. */
  after(number: number): readonly KeptLine[];
  /** Calls `listener` after each line. Returns a function that stops this. */
  onLine(listener: () => void): () => void;
}

/** Enough for a person to read on the page; older lines are in the terminal. */
const MAX_LINES = 500;

/** Starts an empty log. */
export function keepLines(now: () => number): LiveLog {
  const lines: KeptLine[] = [];
  const listeners = new Set<() => void>();
  // Numbers also grow from one start to the next, because a browser that reconnects sends the number of its last line.
  let count = now();
  return {
    add(level, text) {
      lines.push({ number: ++count, at: now(), level, text });
      if (lines.length > MAX_LINES) lines.shift();
      for (const listener of listeners) listener();
    },
    after: (number) => lines.filter((line) => line.number > number),
    onLine(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Streams server-sent events: the lines after this number, then each new one. A browser that reconnects sends the number of its last line. */
export function streamLines(log: LiveLog, lastNumber: number): ReadableStream<Uint8Array> {
  let sent = Number.isSafeInteger(lastNumber) ? lastNumber : 0;
  let stop = () => {};
  return new ReadableStream<Uint8Array>({
    start(stream) {
      const bytes = new TextEncoder();
      const send = () => {
        for (const { number, ...line } of log.after(sent)) {
          sent = number;
          stream.enqueue(bytes.encode(`id: ${number}\ndata: ${JSON.stringify(line)}\n\n`));
        }
      };
      stop = log.onLine(send);
      stream.enqueue(bytes.encode(": the live log\n\n"));
      send();
    },
    cancel: () => stop(),
  });
}
