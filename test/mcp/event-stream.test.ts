// The events of a stream from a remote server.
import { expect, it } from "vitest";
import { eventData } from "../../src/mcp/event-stream.ts";

const read = (text: string) => Array.fromAsync(eventData(new Response(text), 1000));

it("keeps data with the line separators of Unicode, which end no line here", async () => {
  expect(await read('data: "a\u2028b\u2029c"\n\n')).toEqual(['"a\u2028b\u2029c"']);
});

it("joins the lines of an event, with any line end, and drops an event that is cut off", async () => {
  expect(await read("data: a\r\ndata: b\r\rdata: c\n\ndata: d\n")).toEqual(["a\nb", "c"]);
});
