// Server-sent events as far as this protocol uses them: the data of each event. Names, ids and pauses are passed over, because a broken
// stream is not resumed: whether the call took effect is then unknown, and the model is told so.

/**
 * The data of each event, as it arrives; an event that the stream's end cuts off is dropped. Ends after `maxChars` in all. Closes the
 * connection when it is left early. Throws what the connection throws.
 */
export async function* eventData(response: Response, maxChars: number): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let open = "";
  let data: string[] = [];
  let seen = 0;
  try {
    while (reader && seen <= maxChars) {
      const { done, value } = await reader.read();
      if (done) return;
      seen += value.length;
      const lines = (open + value).split(/\r\n|\n|\r(?!$)/);
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
