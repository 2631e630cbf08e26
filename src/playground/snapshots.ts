// Streams a view of the local world as server-sent events: one at once and one after each change, never two within the coalescing time, and
// never the same one twice. While nothing changes, it sends a comment now and then, because Node ends a connection that is silent for five
// minutes, and an approval may take ten.

/** Changes closer together than this become one event. */
const COALESCE_MS = 50;
/** How often to look for changes that only the passing of time causes, such as 3 s without an answer. */
const TICK_MS = 1_000;
/** The number of looks without a change after which a comment is sent. */
const QUIET_LOOKS = 60;

/** What to watch. `read` gives the view as JSON; `sleep` takes milliseconds. */
export interface Watched {
  read(): string;
  onChange(listener: () => void): () => void;
  sleep(ms: number): Promise<void>;
}

/** Yields the events until the consumer returns the generator. */
export async function* snapshots({ read, onChange, sleep }: Watched): AsyncGenerator<string, void> {
  let last = "";
  let quiet = 0;
  let wake = () => {};
  const stop = onChange(() => wake());
  try {
    for (;;) {
      const { promise: changed, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const current = read();
      quiet = current === last ? quiet + 1 : 0;
      if (quiet === 0) yield `data: ${current}\n\n`;
      else if (quiet % QUIET_LOOKS === 0) yield ": still here\n\n";
      last = current;
      await Promise.race([changed, sleep(TICK_MS)]);
      await sleep(COALESCE_MS);
    }
  } finally {
    stop();
  }
}

/** Returns the events as the answer to a request. A client that leaves ends the generator. */
export function eventStream(events: AsyncGenerator<string, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    // Not awaited: the generator may be asleep, and ends when it wakes.
    cancel: () => void events.return(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}
