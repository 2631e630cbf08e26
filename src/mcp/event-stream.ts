// Server-sent events as far as this protocol needs them: the data of each event. Ignores names, ids and retry times, because a
// broken stream is not resumed; it is then unknown whether the call took effect, and the model learns that.

/**
 * Yields the data of each event as it arrives; drops an event that the stream's end cuts off. Ends after `maxChars` in all.
 * Closes the connection if the caller leaves early. Throws what the connection throws.
 */
export async function* eventData(
  response: Response,
  maxChars: number,
  looked: (chars: number) => void = () => {},
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  /** The line that has no end yet. A long one comes in many pieces, so it is only appended to. */
  let open = "";
  /** A return at a piece's end, until it is known whether a line feed belongs to it. */
  let held = "";
  let data: string[] = [];
  let seen = 0;
  try {
    while (reader && seen <= maxChars) {
      const { done, value } = await reader.read();
      if (done) return;
      seen += value.length;
      const piece = held + value;
      looked(piece.length);
      held = piece.endsWith("\r") ? "\r" : "";
      const lines = piece.slice(0, piece.length - held.length).split(/\r\n|\n|\r/);
      lines[0] = open + lines[0];
      open = lines.pop() ?? "";
      for (const line of lines) {
        const field = /^data(?:: ?(.*))?$/.exec(line);
        if (field) data.push(field[1] ?? "");
        if (line !== "" || data.length === 0) continue;
        yield data.join("\n");
        data = [];
      }
    }
  } finally {
    await reader?.cancel();
  }
}
