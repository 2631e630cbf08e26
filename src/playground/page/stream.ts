// A stream of events that is opened again whenever it breaks. Draws nothing.

const RETRY_MS = 1_500;

/**
 * Follows a stream until the returned function is called. `hear` gets each event with its id; `connection` is called when the stream is
 * there, and when it breaks.
 */
export function followStream(
  url: () => string,
  hear: (data: string, id: string) => void,
  connection: (connected: boolean) => void = () => {},
): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(url());
    source.addEventListener("open", () => connection(true));
    source.addEventListener("message", ({ data, lastEventId }) => hear(data, lastEventId));
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
