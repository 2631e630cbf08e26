// The live connection to the local world: one event stream for one view, opened again whenever it breaks. Draws nothing.

import type { Seen } from "./shapes.ts";
import { buildQuery, type View } from "./world.ts";

const RETRY_MS = 1_500;

/** What the connection reports: every state of what is shown, and whether it is connected. */
export type Listener = { seen(seen: Seen): void; connection(connected: boolean): void };

/** Follows a view until the returned function is called. */
export function follow(view: View, listener: Listener): () => void {
  let source: EventSource;
  let retry: number | undefined;
  const open = () => {
    source = new EventSource(`/local/events?${buildQuery(view)}`);
    source.addEventListener("open", () => listener.connection(true));
    source.addEventListener("message", (event) => listener.seen(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      listener.connection(false);
      // After a cut the browser tries again by itself, but after an answer that is not a stream it gives up.
      source.close();
      retry = setTimeout(open, RETRY_MS);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
