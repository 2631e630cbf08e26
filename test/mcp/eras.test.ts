// Which era of the protocol a server speaks: learned from the request that is wanted anyway, remembered, and learned again when it has
// changed; and what a request of the newer era says about itself.
import { describe, expect, it } from "vitest";
import type { EraName } from "../../src/mcp/session.ts";
import { listed, mcpServer, says } from "../support/mcp-server.ts";
import { type ModernRequest, modernServer, onlyModern, refusal } from "../support/modern-mcp-server.ts";
import { eventually } from "../support/web-server.ts";
import { host as hostServer, never } from "./arrange.ts";

const host = (server: { fetch(request: Request): Promise<Response> }, era: EraName | null = null, over = {}) =>
  hostServer(server, over, [], era);
const MINUTE_MS = 60_000;
const HANDSHAKE = ["initialize", "notifications/initialized"];
const call = (name: string) => ({ name, arguments: {} });
const both = (old: ReturnType<typeof mcpServer>, next: ReturnType<typeof modernServer>, isNext: () => boolean) => ({
  fetch: (request: Request) => (isNext() ? next : old).fetch(request),
});

describe("a server that speaks only the newer era", () => {
  it("is asked for what is wanted, without a handshake", async () => {
    const server = modernServer(listed("look"));
    const { session, era } = await host(server, null, { headers: { Authorization: "Bearer key" } });
    expect((await session.request("tools/list", {}, never())).ok).toBe(true);
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: true });
    expect([server.methods(), server.violations, era()]).toEqual([["tools/list", "tools/call"], [], "modern"]);
    expect(server.heard.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer key", "Bearer key"]);
  });

  it("is asked in that era even if it was known to speak the older one", async () => {
    const server = modernServer(listed("look"));
    const { session, era } = await host(server, "legacy");
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: true });
    expect([server.methods(), era()]).toEqual([["initialize", "tools/call"], "modern"]);
  });

  it("is asked a second time, and only once, after it refused the version and named another", async () => {
    const server = modernServer(listed("look"));
    server.instead = () => onlyModern("2026-07-28");
    const { session, era } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: false,
      error: "it: Unsupported protocol version",
      code: -32022,
    });
    expect([server.methods(), era()]).toEqual([["tools/call", "tools/call"], "modern"]);
  });

  it.each([
    ["an unknown method", refusal(-32601, "no such thing", undefined, 404), -32601],
    ["an ability that we lack", refusal(-32021, "we need more"), -32021],
    ["headers that do not fit", refusal(-32020, "no match"), -32020],
  ])("may refuse a request for %s, which is an answer and no reason to ask again", async (_what, response, code) => {
    const server = modernServer(listed("look"));
    const { session, changes } = await host(server, "modern");
    server.instead = () => response.clone();
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, code });
    expect([server.methods(), changes()]).toEqual([["tools/call"], code === -32020 ? 1 : 0]);
  });

  it("gets a refusal and its own state back if it asks a person something, and is given up if it never stops asking", async () => {
    const server = modernServer(listed("look"));
    const question = { method: "elicitation/create", params: { message: "Really?" } };
    let questions = 1;
    server.onCall = () =>
      questions-- > 0
        ? { resultType: "input_required", inputRequests: { sure: question }, requestState: "s-1" }
        : says("done");
    const { session } = await host(server);
    expect(await session.request("tools/call", call("look"), never())).toEqual({ ok: true, result: says("done") });
    expect(server.heard[1]?.params).toMatchObject({
      ...call("look"),
      inputResponses: { sure: { action: "decline" } },
      requestState: "s-1",
    });
    questions = 100;
    expect(await session.request("tools/call", call("look"), never())).toEqual({
      ok: false,
      error: "it asks questions instead of answering",
    });
    expect([server.heard.length, server.violations]).toEqual([2 + 5, []]);
  });

  it("learns of a stop only by the closed connection", async () => {
    const server = modernServer(listed("look"));
    let isLost = false;
    const { session } = await host({
      fetch: (request) => {
        request.signal.addEventListener("abort", () => {
          isLost = true;
        });
        return server.fetch(request);
      },
    });
    server.onCall = () => new Promise(() => {});
    const stop = new AbortController();
    const reply = session.request("tools/call", call("look"), stop.signal);
    await eventually(() => server.methods().includes("tools/call"));
    stop.abort();
    expect(await reply).toMatchObject({ ok: false, error: expect.stringContaining("is unknown") });
    await eventually(() => isLost);
    expect(server.methods()).toEqual(["tools/call"]);
  });
});

/** A server that answers a request of the newer era with a success status. */
const answeringNewer = (answer: object, server: { fetch(request: Request): Promise<Response> }) => ({
  fetch: async (request: Request) =>
    request.headers.get("mcp-protocol-version") === "2026-07-28"
      ? Response.json({ jsonrpc: "2.0", id: ((await request.json()) as { id: number }).id, ...answer })
      : server.fetch(request),
});

describe("a server that speaks only the older era", () => {
  it("is asked once in the newer one, and never again while its era is known", async () => {
    const server = mcpServer(listed("look"));
    const { session, era } = await host(server);
    await session.request("tools/list", {}, never());
    await session.request("tools/call", call("look"), never());
    expect([server.probes, era(), server.methods()]).toEqual([1, "legacy", [...HANDSHAKE, "tools/list", "tools/call"]]);
  });

  it.each([400, 404, 405, 406, 422])("may say so with any status, such as %i", async (status) => {
    const server = mcpServer(listed("look"));
    const { session } = await host({
      fetch: async (request) =>
        request.headers.get("mcp-protocol-version") === "2026-07-28"
          ? new Response("what?", { status })
          : server.fetch(request),
    });
    expect((await session.request("tools/list", {}, never())).ok).toBe(true);
  });

  it.each([-32002, -32000, -32600, -32601, -32602])(
    "may say in an answer that it wants a handshake first, as servers do that never refuse with a status (%i)",
    async (code) => {
      const server = mcpServer(listed("look"));
      const { session, era } = await host(
        answeringNewer({ error: { code, message: "Server not initialized" } }, server),
      );
      expect((await session.request("tools/list", {}, never())).ok).toBe(true);
      expect([era(), server.methods()]).toEqual(["legacy", [...HANDSHAKE, "tools/list"]]);
    },
  );

  it("is not asked again for a call that it has answered with an error, whatever the code", async () => {
    const server = mcpServer(listed("look"));
    const { session } = await host(answeringNewer({ error: { code: -32603, message: "no" } }, server));
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, error: "it: no" });
    expect(server.methods()).toEqual([]);
  });

  it.each<[string, object, ResponseInit]>([
    ["in words", { error: { code: -32602, message: "Unsupported protocol version" } }, {}],
    ["with a status", { error: { code: -32000, message: "Version 2025-11-25 is not supported" } }, { status: 400 }],
    [
      "with those that it takes",
      { error: { code: -32022, message: "Unsupported", data: { supported: ["2025-03-26", "2024-11-05"] } } },
      { status: 400 },
    ],
  ])(
    "may refuse a handshake in a version that it does not speak %s, and is asked in an older one",
    async (_what, body, init) => {
      const server = mcpServer(listed("look"));
      server.protocolVersion = "2025-03-26";
      const versions: unknown[] = [];
      const { session, era } = await host({
        async fetch(request) {
          const { id, method, params } = (await request.clone().json()) as ModernRequest;
          if (method !== "initialize") return server.fetch(request);
          versions.push(params.protocolVersion);
          const isSpoken = String(params.protocolVersion) <= "2025-03-26";
          return isSpoken ? server.fetch(request) : Response.json({ jsonrpc: "2.0", id, ...body }, init);
        },
      });
      expect((await session.request("tools/list", {}, never())).ok).toBe(true);
      expect(versions.at(-1)).toBe("2025-03-26");
      expect([versions.length <= 3, era(), server.violations]).toEqual([true, "legacy", []]);
    },
  );

  it("that refuses the handshake in every version is asked in each of them once", async () => {
    const server = mcpServer(listed("look"));
    let asked = 0;
    const { session } = await host({
      async fetch(request) {
        const { method } = (await request.clone().json()) as ModernRequest;
        if (method !== "initialize") return server.fetch(request);
        asked++;
        return new Response("unsupported version", { status: 400 });
      },
    });
    expect((await session.request("tools/list", {}, never())).ok).toBe(false);
    expect(asked).toBe(4);
  });

  it.each([400, 404, 500])(
    "may refuse with %i the notice that the handshake is over, and is asked anyway",
    async (status) => {
      const server = mcpServer(listed("look"));
      const { session } = await host({
        async fetch(request) {
          const { method } = (await request.clone().json()) as ModernRequest;
          const answer = await server.fetch(request);
          return method === "notifications/initialized" ? new Response("what?", { status }) : answer;
        },
      });
      expect(await session.request("tools/list", {}, never())).toMatchObject({ ok: true });
      expect(server.methods()).toEqual([...HANDSHAKE, "tools/list"]);
    },
  );

  it("may name the versions that it speaks", async () => {
    const server = mcpServer(listed("look"));
    const { session, era } = await host({
      fetch: async (request) =>
        request.headers.get("mcp-protocol-version") === "2026-07-28"
          ? refusal(-32022, "Unsupported protocol version", { supported: ["2025-06-18"] })
          : server.fetch(request),
    });
    expect((await session.request("tools/list", {}, never())).ok).toBe(true);
    expect(era()).toBe("legacy");
  });

  it.each([401, 403, 429, 500, 503, 307])("is not tried if the answer is %i", async (status) => {
    let asked = 0;
    const { session, era } = await host({
      fetch: async () => {
        asked++;
        return new Response(null, { status, headers: { location: "/elsewhere" } });
      },
    });
    expect((await session.request("tools/list", {}, never())).ok).toBe(false);
    expect([asked, era()]).toEqual([1, null]);
  });
});

it("a server that answers a list with an error and then knows no handshake is reported in its own words", async () => {
  const server = { fetch: async () => new Response(null, { status: 400 }) };
  const { session, era } = await host(answeringNewer({ error: { code: -32603, message: "out of paper" } }, server));
  expect(await session.request("tools/list", {}, never())).toMatchObject({ ok: false, error: "it: out of paper" });
  expect(era()).toBeNull();
});

describe("a server that changes", () => {
  it("to the newer era is followed in the middle of a session, and its session doesn't count as forgotten", async () => {
    const [old, next] = [mcpServer(listed("look")), modernServer(listed("look"))];
    let isNext = false;
    const { session, era } = await host(both(old, next, () => isNext));
    await session.request("tools/list", {}, never());
    isNext = true;
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect([old.methods(), next.methods(), era()]).toEqual([
      [...HANDSHAKE, "tools/list"],
      ["tools/call", "tools/call"],
      "modern",
    ]);
  });

  it.each<[string, () => Response]>([
    ["an unknown method", () => refusal(-32601, "no method initialize", undefined, 404)],
    ["a request that says nothing of itself", () => refusal(-32602, "no version")],
    ["nothing that can be read", () => new Response("what?", { status: 405 })],
  ])("to the newer era, and refuses the handshake because of %s, is followed too", async (_what, refused) => {
    const server = modernServer(listed("look"));
    server.instead = ({ method }) => (method === "initialize" ? refused() : null);
    const { session, era } = await host(server, "legacy");
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect([server.methods(), era()]).toEqual([["initialize", "tools/call"], "modern"]);
  });

  it("to the newer era, and breaks while it executes the first call there, may have executed it", async () => {
    const server = modernServer(listed("look"));
    server.onCall = () => new Response("broken", { status: 500 });
    const { session } = await host(server, "legacy");
    const error = "it answered 500 Internal Server Error; whether it did anything is unknown";
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, error });
    expect(server.methods()).toEqual(["initialize", "tools/call"]);
  });

  it("nothing, but refuses both eras, is asked once in each", async () => {
    let asked = 0;
    const fetch = async () => new Response(`no ${++asked}`, { status: 404 });
    const { session, era } = await host({ fetch }, "legacy");
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false });
    expect([asked, era()]).toEqual([2, "legacy"]);
  });

  it("back to the older one is followed too", async () => {
    const [old, next] = [mcpServer(listed("look")), modernServer(listed("look"))];
    let isNext = true;
    const { session, era } = await host(both(old, next, () => isNext));
    await session.request("tools/list", {}, never());
    isNext = false;
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect([old.probes, old.methods(), era()]).toEqual([1, [...HANDSHAKE, "tools/call"], "legacy"]);
  });

  it("back to the older one is followed at its next list if it only says in an answer that it wants a handshake", async () => {
    const [old, next] = [mcpServer(listed("look")), modernServer(listed("look"))];
    const rolledBack = answeringNewer({ error: { code: -32002, message: "Server not initialized" } }, old);
    let isNext = true;
    const { session, era } = await host({ fetch: (request) => (isNext ? next : rolledBack).fetch(request) });
    await session.request("tools/list", {}, never());
    isNext = false;
    // The newer era has no such code, so it may be the tool's own.
    expect(await session.request("tools/call", call("look"), never())).toMatchObject({ ok: false, code: -32002 });
    expect([old.methods(), era()]).toEqual([[], "modern"]);
    expect((await session.request("tools/list", {}, never())).ok).toBe(true);
    expect((await session.request("tools/call", call("look"), never())).ok).toBe(true);
    expect([old.methods(), era()]).toEqual([[...HANDSHAKE, "tools/list", "tools/call"], "legacy"]);
  });

  it.each([400, 404, 409])("is not asked in the older one for a call that it has answered with %i", async (status) => {
    const [old, next] = [mcpServer(listed("look")), modernServer(listed("look"))];
    next.onCall = ({ id }) =>
      Response.json({ jsonrpc: "2.0", id: String(id), error: { code: -32603, message: "not indexed" } }, { status });
    const { session, era } = await host({
      fetch: (request) => (request.headers.get("mcp-protocol-version") === "2026-07-28" ? next : old).fetch(request),
    });
    await session.request("tools/list", {}, never());
    const reply = await session.request("tools/call", call("look"), never());
    expect(reply).toEqual({ ok: false, error: "it: not indexed", code: -32603 });
    expect([next.methods(), old.methods(), era()]).toEqual([["tools/list", "tools/call"], [], "modern"]);
  });

  it("is first asked in its own era by a later life of the object", async () => {
    const server = mcpServer(listed("look"));
    const client = await host(server);
    await client.turn();
    client.evict();
    await client.clock.advance(10 * MINUTE_MS);
    await client.turn();
    expect([server.probes, server.methods().filter((method) => method === "tools/list").length]).toEqual([1, 2]);
  });
});

describe("a list of the newer era", () => {
  it.each([
    ["as long as the server says", 5 * MINUTE_MS, 5 * MINUTE_MS],
    ["a minute if the server says less", 1000, MINUTE_MS],
    ["ten minutes if it says that it may change at any time", 0, 10 * MINUTE_MS],
    ["ten minutes if it says nonsense", "soon", 10 * MINUTE_MS],
    ["a day if it says more", 1e12, 24 * 60 * MINUTE_MS],
  ])("is kept %s", async (_what, ttlMs, keptMs) => {
    const server = modernServer(listed("look"));
    server.listFields = { ttlMs };
    const client = await host(server);
    await client.turn();
    await client.clock.advance(keptMs - 1);
    await client.turn();
    expect(server.methods()).toEqual(["tools/list"]);
    await client.clock.advance(1);
    await client.turn();
    expect(server.methods()).toEqual(["tools/list", "tools/list"]);
  });

  it("loses a tool that marks for a header what can't be repeated in one, and the others stay", async () => {
    const inputSchema = { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } };
    const client = await host(modernServer(listed("bad", { inputSchema }), listed("good")));
    expect((await client.turn()).map(({ name }) => name)).toEqual(["it_good"]);
    expect(client.lines.join()).toContain("a value that it repeats in a header is not a text, whole number or boolean");
  });

  it("has marked arguments repeated in headers when its tool is called", async () => {
    const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    const server = modernServer(listed("look", { inputSchema }));
    const client = await host(server);
    expect(await client.call("it_look", { region: "Zürich" })).toMatchObject({ ok: true });
    expect(server.heard.at(-1)?.headers.get("mcp-param-region")).toBe("=?base64?WsO8cmljaA==?=");
    expect(server.violations).toEqual([]);
  });
});

describe("a refusal with a success status and without the request's id", () => {
  it.each(["modern", "legacy"] as const)("has the server's words in the %s era", async (name) => {
    const server = mcpServer(listed("look"));
    const { session } = await host(server, name);
    if (name === "legacy") await session.request("tools/list", {}, never());
    server.instead = () =>
      Response.json({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no such workspace" } });
    const reply = await session.request("tools/call", call("look"), never());
    expect(reply).toEqual({ ok: false, error: "it: no such workspace", code: -32600 });
  });
});
