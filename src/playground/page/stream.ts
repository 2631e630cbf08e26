// A stream of events that is reopened whenever it breaks. Draws nothing.

const RETRY_MS = 1_500;

/**
 * Follows a stream until the returned function is called. `hear` receives each event with its id; `connection` is called when the stream opens
 * and when it breaks.
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
      // The browser retries by itself after a cut, but gives up after an answer that is not a stream.
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
