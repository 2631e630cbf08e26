// Reads server-sent events as far as this protocol needs them: the data of each event, and the position in the stream from which a server
// of the older era can continue.
import { createLines } from "../core/transcript/lines.ts";

/** The position in a stream. A reader changes it as events arrive. */
export interface StreamPlace {
  /** The id of the last whole event that had one, even if it had no data. */
  lastId: string | null;
  /** How long the server wants a client to wait before it reconnects. */
  retryMs: number | null;
}

/**
 * Yields the data of each event as it arrives; drops an event that is cut off by the end of the stream. Ends after `maxChars` in all. Closes the
 * connection if the caller leaves early. Throws what the connection throws.
 */
export async function* eventData(
  response: Response,
  maxChars: number,
  place: StreamPlace = { lastId: null, retryMs: null },
  looked: (chars: number) => void = () => {},
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines = createLines();
  let data: string[] = [];
  let id: string | null = null;
  let seen = 0;
  try {
    while (reader && seen <= maxChars) {
      const { done, value } = await reader.read();
      if (done) return;
      seen += value.length;
      looked(value.length);
      for (const line of lines.push(value, false)) {
        const [, field, text = ""] = /^(data|id|retry)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === "data") data.push(text);
        if (field === "id" && !text.includes("\0")) id = text;
        if (field === "retry" && /^\d{1,9}$/.test(text)) place.retryMs = Number(text);
        if (line !== "") continue;
        // An empty id resets the last one.
        if (id !== null) place.lastId = id || null;
        id = null;
        if (data.length > 0) yield data.join("\n");
        data = [];
      }
    }
  } finally {
    // A connection that broke can't be closed. What arrived before that still counts.
    await reader?.cancel().catch(() => {});
  }
}
