// A stream of events that is opened again whenever it breaks. Draws nothing.

const RETRY_MS = 1_500;

/**
 * Follows a stream until the returned function is called. `url` gets the id of the last event, empty at first; `connection` is called
 * when the stream is there, and when it breaks.
 */
export function followStream(
  url: (lastId: string) => string,
  hear: (data: string) => void,
  connection: (connected: boolean) => void = () => {},
): () => void {
  let lastId = "";
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(url(lastId));
    source.addEventListener("open", () => connection(true));
    source.addEventListener("message", (event) => {
      lastId = event.lastEventId;
      hear(event.data);
    });
    source.addEventListener("error", () => {
      connection(false);
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
