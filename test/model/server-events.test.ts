// A model's stream, or one of its events, that never ends.
import { expect, it } from "vitest";
import { readServerEvents } from "../../src/model/server-events.ts";

const MOST = 10_000;

it.each([
  ["comments", ": alive\n\n", 0],
  ["events without words", 'data: {"choices":[]}\n\n', 455],
])("of %s, however fast they come, is abandoned", async (_what, piece, events) => {
  let sent = 0;
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += piece.length;
      controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel() {
      isClosed = true;
    },
  });
  let got = 0;
  const read = async () => {
    for await (const _event of readServerEvents(body, () => false, MOST)) got++;
  };
  await expect(read()).rejects.toThrow(new SyntaxError("the stream has no end"));
  expect([got, isClosed]).toEqual([events, true]);
  expect(sent).toBeLessThanOrEqual(MOST + 2 * piece.length);
});

it("an event of a million empty lines counts as one without an end, because each line takes memory", async () => {
  const lines = new TextEncoder().encode("data:\n".repeat(10_000));
  let pieces = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pieces++ < 100) controller.enqueue(lines);
      else controller.close();
    },
  });
  const read = () => Array.fromAsync(readServerEvents(body, () => false));
  await expect(read()).rejects.toThrow(new SyntaxError("an event has no end"));
});
