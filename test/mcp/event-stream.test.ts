// The events of a stream from a remote server.
import { expect, it } from "vitest";
import { eventData } from "../../src/mcp/event-stream.ts";

const read = (text: string) => Array.fromAsync(eventData(new Response(text), 1000));

it("keeps data with the line separators of Unicode, which don't end a line here", async () => {
  expect(await read('data: "a\u2028b\u2029c"\n\n')).toEqual(['"a\u2028b\u2029c"']);
});

it("joins the lines of an event, with any line end, and drops an event that is cut off", async () => {
  expect(await read("data: a\r\ndata: b\r\rdata: c\n\ndata: d\n")).toEqual(["a\nb", "c"]);
});

it("also gives an event if the connection breaks right after it", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled++ === 0) controller.enqueue(new TextEncoder().encode("data: a\n\n"));
      else controller.error(new Error("reset"));
    },
  });
  const first = async () => {
    for await (const data of eventData(new Response(body), 1000)) return data;
  };
  expect(await first()).toBe("a");
});
