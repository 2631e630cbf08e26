// The live line to the local world: one event stream for one view, opened again whenever it breaks. Draws nothing.
import { buildQuery, type LocalMessage, type View } from "./world.ts";

const RETRY_MS = 1_500;

/** What the line reports: every state of the channel, and whether it stands. */
export type Listener = { messages(messages: LocalMessage[]): void; standing(connected: boolean): void };

/** Follows a view until the returned function is called. */
export function follow(view: View, listener: Listener): () => void {
  let source: EventSource;
  let retry: number | undefined;
  const open = () => {
    source = new EventSource(`/local/events?${buildQuery(view)}`);
    source.addEventListener("open", () => listener.standing(true));
    source.addEventListener("message", (event) => listener.messages(JSON.parse(event.data).messages));
    source.addEventListener("error", () => {
      listener.standing(false);
      // The browser tries again by itself after a cut, but gives up after an answer that is no stream.
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
