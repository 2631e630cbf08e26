// A stream of the older era that ends before its answer is continued from where it ended, within the call's limit, and the call is
// never sent again.
import { afterEach, describe, expect, it } from "vitest";
import type { Served } from "../../src/playground/serve.ts";
import { listed, mcpServer, says } from "../support/mcp-server.ts";
import { eventually } from "../support/web-server.ts";
import { hosted, never } from "./arrange.ts";

let open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.map((served) => served.close()));
  open = [];
});

const CALL = { name: "look", arguments: {} };
const stream = (text: string) => new Response(text, { headers: { "content-type": "text/event-stream" } });
const event = (id: string, message: object | null, retry = "") =>
  `id: ${id}\n${retry}data: ${message ? JSON.stringify(message) : ""}\n\n`;
const answer = (id: unknown) => ({ jsonrpc: "2.0", id, result: says("did look") });

/** A server whose answer to a call is a stream that ends; `rest` answers requests for the rest. */
async function resumable(beginning: (id: unknown) => string, rest: (times: number, id: unknown) => Response) {
  const server = mcpServer(listed("look"));
  let callId: unknown;
  const back: Request[] = [];
  server.onCall = () => {
    callId = server.heard.at(-1)?.id;
    return stream(beginning(callId));
  };
  const { served, client } = await hosted({
    async fetch(request: Request) {
      if (request.method !== "GET") return server.fetch(request);
      back.push(request);
      return rest(back.length, callId);
    },
  });
  open.push(served);
  await client.session.request("tools/list", {}, never());
  const calls = () => server.methods().filter((method) => method === "tools/call").length;
  return { server, client, back, calls };
}

describe("a stream that ends before its answer", () => {
  it("is continued after the pause that the server wants, with the id of the last event and the session", async () => {
    const { client, back, calls } = await resumable(
      () => event("e1", null, "retry: 500\n"),
      (_times, id) => stream(event("e2", answer(id))),
    );
    const reply = client.session.request("tools/call", CALL, never());
    await eventually(() => client.clock.pending() > 0);
    await client.clock.advance(499);
    expect(back).toHaveLength(0);
    await client.clock.advance(1);
    expect(await reply).toEqual({ ok: true, result: says("did look") });
    const headers = ["last-event-id", "mcp-session-id", "mcp-protocol-version", "accept"];
    expect(headers.map((name) => back[0]?.headers.get(name))).toEqual([
      "e1",
      "session-1",
      "2025-11-25",
      "text/event-stream",
    ]);
    expect([back.length, calls()]).toEqual([1, 1]);
  });

  it("may end as often as it likes while each piece brings something new, and is continued five times a second at most", async () => {
    const { client, back } = await resumable(
      () => event("e0", null, "retry: 0\n"),
      (times, id) => stream(event(`e${times}`, times === 8 ? answer(id) : null)),
    );
    const reply = client.session.request("tools/call", CALL, never());
    for (let times = 0; times < 8; times++) {
      await eventually(() => client.clock.pending() > 0 && back.length === times);
      await client.clock.advance(199);
      expect(back).toHaveLength(times);
      await client.clock.advance(1);
    }
    expect(await reply).toEqual({ ok: true, result: says("did look") });
    expect(back).toHaveLength(8);
  });

  it.each([
    ["brings nothing new", () => stream(": nothing\n\n")],
    ["can't be reached", () => new Response(null, { status: 502 })],
  ])("is given up when the second attempt to continue %s", async (_what, rest) => {
    const { client, back, calls } = await resumable(() => event("e1", null), rest);
    const reply = client.session.request("tools/call", CALL, never());
    for (const pause of [1000, 1500]) {
      const times = back.length;
      await eventually(() => client.clock.pending() > 0);
      await client.clock.advance(pause - 1);
      expect(back).toHaveLength(times);
      await client.clock.advance(1);
      await eventually(() => back.length === times + 1);
    }
    expect(await reply).toEqual({
      ok: false,
      error: "it gave no readable answer; whether it did anything is unknown",
    });
    expect([back.length, calls(), client.clock.pending()]).toEqual([2, 1, 0]);
  });

  it.each([
    ["the server has no such streams", () => event("e1", null, "retry: 1\n"), 1],
    ["the stream had no id", () => ": hello\n\n", 0],
    ["its only id came with an event that was cut off", () => "id: e1\ndata: {", 0],
    ["its id was taken back", () => `${event("e1", null)}id:\ndata: {}\n\n`, 0],
  ])("is not continued if %s", async (_what, beginning, times) => {
    const { client, back } = await resumable(beginning, () => new Response(null, { status: 405 }));
    const reply = client.session.request("tools/call", CALL, never());
    if (times > 0) {
      await eventually(() => client.clock.pending() > 0);
      await client.clock.advance(200);
    }
    expect(await reply).toMatchObject({ ok: false, error: expect.stringContaining("no readable answer") });
    expect(back).toHaveLength(times);
  });

  it("is abandoned at a stop during the pause, which leaves no timer and informs the server", async () => {
    const { client, back, server } = await resumable(
      () => event("e1", null, "retry: 60000\n"),
      () => stream(""),
    );
    const stop = new AbortController();
    const reply = client.session.request("tools/call", CALL, stop.signal);
    await eventually(() => client.clock.pending() > 0);
    stop.abort(new Error("stopped"));
    expect(await reply).toMatchObject({ ok: false, error: expect.stringContaining("is unknown") });
    await eventually(() => server.methods().includes("notifications/cancelled") && client.clock.pending() === 0);
    expect(back).toHaveLength(0);
  });
});
