// The protocol on the wire, against a strict server: the handshake, both kinds of answers, sessions that end, the server's own
// requests, and that a call that is no longer wanted is cut off and cancelled.
import { afterEach, describe, expect, it } from "vitest";
import type { EraName } from "../../src/mcp/session.ts";
import type { Served } from "../../src/playground/serve.ts";
import { listed, type McpServerUnderTest, mcpServer, says } from "../support/mcp-server.ts";
import { endless, eventually } from "../support/web-server.ts";
import { hosted, never } from "./arrange.ts";

let open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.map((served) => served.close()));
  open = [];
});

async function host(server: McpServerUnderTest, over = {}, era: EraName | null = null) {
  const one = await hosted(server, over, [], era);
  open.push(one.served);
  return one.client;
}
const HANDSHAKE = ["initialize", "notifications/initialized"];
const silentStream = () =>
  new Response(endless(": hello\n\n").body, { headers: { "content-type": "text/event-stream" } });
const call = (name: string) => ({ name, arguments: {} });

describe("a session", () => {
  it("begins with one handshake, and then sends its requests", async () => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server, { headers: { Authorization: "Bearer key" } });
    expect(await session.request("tools/list", {}, never())).toEqual({ ok: true, result: { tools: server.tools } });
    expect(await session.request("tools/call", call("look"), never())).toEqual({ ok: true, result: says("did look") });
    expect(server.methods()).toEqual([...HANDSHAKE, "tools/list", "tools/call"]);
    expect(server.heard.map(({ session }) => session)).toEqual([null, "session-1", "session-1", "session-1"]);
    expect(server.heard[0]?.params).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "parley", version: "0.0.1" },
    });
    expect(server.violations).toEqual([]);
  });

  it.each(["2025-06-18", "2025-03-26", "2024-11-05"])("continues in the server's version %s", async (version) => {
    const server = mcpServer();
    server.protocolVersion = version;
    const { session } = await host(server);
    expect((await session.request("tools/list", {}, never())).ok).toBe(true);
    expect(server.violations).toEqual([]);
  });

  it.each([
    ["", {}, "parley/0.0.1"],
    [", or the configured name", { "User-Agent": "ours" }, "ours"],
  ])("says in each request who is asking%s", async (_what, headers, name) => {
    const server = mcpServer(listed("look"));
    const asked: (string | null)[] = [];
    const { session } = await host(
      {
        ...server,
        fetch(request) {
          asked.push(request.headers.get("user-agent"));
          return server.fetch(request);
        },
      },
      { headers },
    );
    await session.request("tools/call", call("look"), never());
    // The newer era's question, the handshake and the call.
    expect(asked).toEqual([name, name, name, name]);
  });

  it.each([
    ["its words", { error: { code: -32000, message: "no key" } }, { status: 400 }, "400 Bad Request: no key"],
    [
      "its new address",
      {},
      { status: 307, headers: { location: "/mcp/" } },
      "307 Temporary Redirect and points to /mcp/, where nothing was sent",
    ],
  ])("that is refused has %s", async (_what, body, init, words) => {
    const server = mcpServer();
    server.instead = () => Response.json({ jsonrpc: "2.0", id: null, ...body }, init);
    const { session } = await host(server);
    const reply = await session.request("tools/list", {}, never());
    expect(reply).toMatchObject({ ok: false, error: `it answered ${words}` });
  });

  it("does not begin in an unknown version", async () => {
    const server = mcpServer();
    server.protocolVersion = "1999-01-01";
    const { session } = await host(server);
    expect(await session.request("tools/list", {}, never())).toEqual({
      ok: false,
      error: "it speaks no known version of the protocol",
    });
    expect(server.methods()).toEqual(["initialize"]);
  });

  it("consists of only the version if the server keeps no sessions", async () => {
    const server = mcpServer(listed("look"));
    server.keepsSessions = false;
    const { session } = await host(server);
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect(server.heard.map((one) => one.session)).toEqual([null, null, null]);
    expect(server.violations).toEqual([]);
  });

  it.each([404, 400, 401, 403])(
    "begins again if the server says with %i that it forgot it, and the request is sent again",
    async (status) => {
      const server = mcpServer(listed("look"));
      const { session, changes } = await host(server);
      await session.request("tools/list", {}, never());
      server.forget(status);
      expect(await session.request("tools/call", call("look"), never())).toEqual({
        ok: true,
        result: says("did look"),
      });
      expect(server.methods().slice(3)).toEqual(["tools/call", ...HANDSHAKE, "tools/call"]);
      expect([changes(), server.violations]).toEqual([1, []]);
    },
  );

  it.each([429, 502, 503, 504])("continues after a refusal with %i", async (status) => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server);
    await session.request("tools/list", {}, never());
    server.onCall = () => new Response(null, { status });
    const reply = await session.request("tools/call", call("look"), never());
    expect(reply).toMatchObject({ ok: false, error: expect.stringContaining(String(status)) });
    await session.request("tools/call", call("look"), never());
    expect(server.methods()).toEqual([...HANDSHAKE, "tools/list", "tools/call", "tools/call"]);
  });

  it.each([410, 500])("begins again with the next request after a refusal with %i", async (status) => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server);
    await session.request("tools/list", {}, never());
    server.forget(status);
    const reply = await session.request("tools/call", call("look"), never());
    expect(reply).toMatchObject({ ok: false, error: expect.stringContaining(String(status)) });
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect(server.methods().slice(3)).toEqual(["tools/call", ...HANDSHAKE, "tools/call"]);
  });

  it.each([400, 403])("does not begin again after a refusal with %i that answers the call", async (status) => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server);
    await session.request("tools/list", {}, never());
    const error = { code: -32603, message: "written, but not indexed" };
    server.onCall = () => {
      const { id } = server.heard.at(-1) ?? {};
      return Response.json({ jsonrpc: "2.0", id, error }, { status });
    };
    const reply = await session.request("tools/call", call("look"), never());
    expect(reply).toEqual({ ok: false, error: "it: written, but not indexed", code: -32603 });
    expect(server.methods()).toEqual([...HANDSHAKE, "tools/list", "tools/call"]);
  });

  it.each([
    [-32002, "Server not initialized"],
    [-32001, "Session expired"],
  ])("begins again after an answer with a success status says that it is lost (%i, %s)", async (code, message) => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server);
    await session.request("tools/list", {}, never());
    let isLost = true;
    const lost = async (request: Request) => {
      const { id, method } = (await request.clone().json()) as { id?: number; method: string };
      isLost &&= method !== "initialize";
      return isLost && id !== undefined ? Response.json({ jsonrpc: "2.0", id, error: { code, message } }) : null;
    };
    const usual = server.fetch;
    server.fetch = async (request) => (await lost(request)) ?? usual(request);
    // A call may have been made, so it is not sent again.
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, code });
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: true });
    isLost = true;
    expect(await session.request("tools/list", {}, never())).toMatchObject({ ok: true });
    expect(server.methods()).toEqual([
      ...[...HANDSHAKE, "tools/list"],
      ...[...HANDSHAKE, "tools/call"],
      ...[...HANDSHAKE, "tools/list"],
    ]);
  });

  it("begins a second time after the server forgot it, and reports the second refusal", async () => {
    const server = mcpServer(listed("look"));
    server.onCall = () => new Response(null, { status: 404 });
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: false,
      error: "it answered 404 Not Found",
      retryable: false,
    });
    expect(server.methods()).toEqual([...HANDSHAKE, "tools/call", ...HANDSHAKE, "tools/call"]);
  });
});

describe("an answer", () => {
  it("may come in an event stream, after whatever else the server says", async () => {
    const server = mcpServer(listed("look"));
    server.streams = true;
    server.before = [
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "working" } },
      { jsonrpc: "2.0", id: 999, result: { content: [] } },
    ];
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({ ok: true, result: says("did look") });
    expect(server.violations).toEqual([]);
  });

  it("may have its id as a text", async () => {
    const server = mcpServer(listed("look"));
    server.onCall = () =>
      Response.json({ jsonrpc: "2.0", id: String(server.heard.at(-1)?.id), result: says("did look") });
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({ ok: true, result: says("did look") });
  });

  it("is reported with its code if it is a protocol error", async () => {
    const server = mcpServer();
    server.onCall = () => ({ error: { code: -32602, message: "Unknown tool: look" } });
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: false,
      error: "it: Unknown tool: look",
      code: -32602,
    });
  });

  it.each([
    ["invalid JSON", () => new Response("<html>", { headers: { "content-type": "application/json" } })],
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response(null, { status: 202 })],
    ["another request's answer", () => Response.json({ jsonrpc: "2.0", id: 77, result: {} })],
    ["a list without an answer", () => Response.json([null, 1, "x", {}])],
    ["a stream without it", () => new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream" } })],
    ["too many bytes", () => Response.json({ jsonrpc: "2.0", id: 2, result: "x".repeat(5 * 2 ** 20) })],
  ])("that is %s counts as unreadable", async (_what, answer) => {
    const server = mcpServer();
    server.onCall = answer;
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: false,
      error: "it gave no readable answer; whether it did anything is unknown",
    });
  });

  it.each([
    ["a text", "out of paper", "it: out of paper"],
    ["without a message", { code: -32000, data: "out of paper" }, 'it: {"code":-32000,"data":"out of paper"}'],
    ["without words", { code: -32000, message: null }, 'it: {"code":-32000,"message":null}'],
    ["with more than words", { code: -32000, message: { why: "out of paper" } }, 'it: {"why":"out of paper"}'],
  ])("with an error that is %s says what it can", async (_what, error, words) => {
    const server = mcpServer();
    server.onCall = () => Response.json({ jsonrpc: "2.0", id: 2, error });
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, error: words });
  });

  it("is a stream whatever the case of its type, which HTTP ignores", async () => {
    const server = mcpServer();
    const data = `data: ${JSON.stringify({ jsonrpc: "2.0", id: 2, result: { text: "here" } })}\n\n`;
    server.onCall = () => new Response(data, { headers: { "content-type": "Text/Event-Stream; Charset=UTF-8" } });
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({ ok: true, result: { text: "here" } });
  });

  it("in a stream is put together however it is cut, with any line endings", async () => {
    const server = mcpServer();
    const event = `: hello\r\nretry: 5\r\nid: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata:"id":2,"result":{"text":"\u00e9"}}\r\n\r\n`;
    const bytes = new TextEncoder().encode(event);
    server.onCall = () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          for (const byte of bytes) {
            controller.enqueue(Uint8Array.of(byte));
            await new Promise((resolve) => setImmediate(resolve));
          }
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: true,
      result: { text: "\u00e9" },
    });
  });

  it.each([
    [401, false],
    [403, false],
    [500, true],
    [503, true],
    [307, false],
  ])("with status %i is a refusal, and no header is sent elsewhere", async (status, retryable) => {
    const server = mcpServer();
    server.instead = () => new Response("secret detail", { status, headers: { location: "/elsewhere" } });
    const { session } = await host(server, { headers: { Authorization: "Bearer key" } });
    const reply = await session.request("tools/list", {}, never());
    expect(reply).toEqual({ ok: false, error: expect.stringMatching(`^it answered ${status}`), retryable });
  });

  it("leaves unknown whether the call did anything if it breaks off", async () => {
    const server = mcpServer(listed("send"));
    server.onCall = silentStream;
    const { session } = await host(server);
    const reply = session.request("tools/call", call("send"), never());
    await eventually(() => server.methods().includes("tools/call"));
    await Promise.all(open.map((served) => served.close()));
    expect(await reply).toEqual({
      ok: false,
      error: expect.stringMatching(/^it could not be reached: .*; whether it did anything is unknown$/),
      retryable: true,
    });
  });

  it("is a clear error if the server is not there", async () => {
    const server = mcpServer();
    const { session } = await host(server);
    await Promise.all(open.map((served) => served.close()));
    expect(await session.request("tools/list", {}, never())).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^it could not be reached: /),
      retryable: true,
    });
  });
});

describe("while a call is under way", () => {
  it("the server may say that its list has changed, send a ping, and ask for features that a Worker does not have", async () => {
    const server = mcpServer(listed("look"));
    server.streams = true;
    const { session, changes } = await host(server);
    await session.request("tools/list", {}, never());
    server.before = [
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      { jsonrpc: "2.0", id: "p", method: "ping" },
      { jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: {} },
    ];
    await session.request("tools/call", call("look"), never());
    await eventually(() => server.methods().filter((method) => method === "answer").length === 2);
    const answers = server.heard.filter(({ method }) => method === "answer");
    expect(answers.map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
      ["p", {}],
      [7, -32601],
    ]);
    expect([changes(), server.violations]).toEqual([1, []]);
  });

  it.each([
    ["before the first byte", () => new Promise<Response>(() => {})],
    ["within its stream", silentStream],
  ])("a stop %s closes the call's socket and tells the server which call to cancel", async (_what, answer) => {
    const server = mcpServer(listed("look"));
    server.onCall = answer;
    const { session } = await host(server);
    const stop = new AbortController();
    const reply = session.request("tools/call", call("look"), stop.signal);
    await eventually(() => server.methods().includes("tools/call"));
    stop.abort();
    expect((await reply).ok).toBe(false);
    await eventually(() => server.lost.includes("tools/call") && server.methods().includes("notifications/cancelled"));
    const id = server.heard.find(({ method }) => method === "tools/call")?.id;
    const cancelled = server.heard.find(({ method }) => method === "notifications/cancelled");
    expect([cancelled?.params, cancelled?.session, server.violations]).toEqual([{ requestId: id }, "session-1", []]);
  });

  it("a stop during the handshake closes its socket", async () => {
    const server = mcpServer();
    const count = server.hang();
    const { session } = await host(server);
    const stop = new AbortController();
    const reply = session.request("tools/call", call("look"), stop.signal);
    await eventually(() => count.asked === 1);
    stop.abort();
    expect((await reply).ok).toBe(false);
    await eventually(() => count.lost === 1);
  });

  it("a handshake that takes longer than 15 s is given up, and leaves no timer", async () => {
    const server = mcpServer();
    const count = server.hang();
    const { session, clock } = await host(server, {}, "legacy");
    const reply = session.request("tools/list", {}, never());
    await eventually(() => count.asked === 1);
    await clock.advance(15_000);
    expect(await reply).toEqual({
      ok: false,
      error: "it could not be reached: no answer within 15 s",
      retryable: true,
    });
    expect(clock.pending()).toBe(0);
  });
});
