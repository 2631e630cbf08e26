// A server's words about its failures, with a secret in them: wherever they are cut, no part of the secret is left.
import { describe, expect, it } from "vitest";
import { readOutcome } from "../../src/mcp/call-result.ts";
import { createSession } from "../../src/mcp/session.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import { readToolAnswer } from "../../src/toolkit/run/tool-outcome.ts";
import { listed, type McpServerUnderTest, mcpServer, says } from "../support/mcp-server.ts";
import { host, never } from "./arrange.ts";

/** Tokens as some authorization servers make them: nothing distinguishes them from other words. */
const TOKENS = ["first0opaque0token", "second0opaque0token"];
/** A person's consent, whose first token the server refuses. */
const credentials = { current: async () => TOKENS[0] ?? null, renew: async () => TOKENS[1] ?? null };

const SECRET = `sk-${"Q7".repeat(20)}`;
/** The other words contain no part of the secret that is this long. */
const PART = "Q7";

/** Texts in which the secret lies across, before and after each of the places where a text has ever been cut. */
const texts = [500, 2000, 20_000].flatMap((cut) =>
  [cut - SECRET.length - 8, cut - 45, cut - 20, cut - 9, cut - 3, cut, cut + 3].map(
    (before) => `${"x".repeat(before - 1)} ${SECRET} ${"y".repeat(5000)}`,
  ),
);

describe("a secret in a remote failure", () => {
  it("leaves nothing behind at any place of the cut", () => {
    const scrub = createScrubber();
    const most = 300;
    for (let before = 1; before <= most + 60; before++) {
      const text = `${"x".repeat(before - 1)} ${SECRET} ${"y".repeat(9000)}`;
      const outcome = readOutcome({ isError: true, content: [{ type: "text", text }], structuredContent: { text } });
      const result = readToolAnswer(outcome, { maxResultChars: most }, scrub);
      expect(JSON.stringify(result)).not.toContain(PART);
    }
  });

  it.each<[string, (text: string) => object | Response]>([
    ["a failed call", (text) => says(text, { isError: true })],
    [
      "an error of the protocol",
      (message) => Response.json({ jsonrpc: "2.0", id: 0, error: { code: -32000, message } }),
    ],
  ])("does not reach the model: %s", async (_what, answer) => {
    const server = mcpServer(listed("look"));
    const client = await host(server);
    for (const text of texts) {
      server.onCall = (_params, _request) => {
        const given = answer(text);
        if (!(given instanceof Response)) return given;
        const id = server.heard.at(-1)?.id;
        return given.json().then((body) => Response.json({ ...(body as object), id }));
      };
      const result = await client.call("it_look");
      expect(result).toMatchObject({ ok: false, status: "error", error: expect.stringContaining("xxx") });
      expect(JSON.stringify(result)).not.toContain(PART);
    }
  });

  it("in the words of a broken connection is passed on whole, for the runtime to find", async () => {
    for (const text of texts) {
      const session = createSession(
        { id: "it", url: "http://127.0.0.1:1/mcp", headers: {} },
        { fetch: () => Promise.reject(new Error(text)), after: () => () => {}, keepAlive: () => {}, version: "1" },
        () => {},
      );
      expect(await session.request("tools/call", {}, never())).toMatchObject({
        error: expect.stringContaining(SECRET),
      });
    }
  });

  it("does not reach the log when the server gives no tools", async () => {
    const server = mcpServer(listed("look"));
    const client = await host(server);
    for (const message of texts) {
      server.instead = async (request) => {
        const { id } = (await request.json()) as { id?: number };
        return Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message } });
      };
      await client.turn();
      await client.clock.advance(60_001);
    }
    expect(client.lines.filter((line) => line.startsWith("a remote server gave no tools"))).toHaveLength(texts.length);
    expect(client.lines.join("\n")).not.toContain(PART);
  });
});

describe("a token that a person's consent has brought", () => {
  const echo = (request: Request) => `you sent ${request.headers.get("authorization")?.replace("Bearer ", "")}`;

  it.each<[string, (server: McpServerUnderTest) => void, object]>([
    [
      "a result",
      (server) => {
        server.onCall = (_params, request) => says(`${echo(request)} after ${TOKENS[0]}`);
      },
      { ok: true, data: { text: "you sent [secret] after [secret]" } },
    ],
    [
      "a refusal",
      (server) => {
        server.onCall = (_params, request) =>
          Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: echo(request) } }, { status: 400 });
      },
      { ok: false, error: expect.stringMatching(/^it answered 400.*: you sent \[secret\]$/) },
    ],
  ])("is not shown if its server repeats it in %s", async (_what, answer, result) => {
    const server = mcpServer(listed("look"));
    const isRefused = (request: Request) => request.headers.get("authorization") === `Bearer ${TOKENS[0]}`;
    answer(server);
    const strict = (request: Request) =>
      isRefused(request) ? new Response(null, { status: 401 }) : server.fetch(request);
    const client = await host({ ...server, fetch: async (request) => strict(request) }, { credentials });
    expect(await client.call("it_look")).toMatchObject(result);
  });

  it("is not shown in what the server says about its tools", async () => {
    const server = mcpServer(listed("look", { description: `Looks with ${TOKENS[0]}.` }));
    const client = await host(server, { credentials });
    expect((await client.turn()).map(({ description }) => description)).toEqual(["Looks with [secret]."]);
    expect([...client.stored.values()].join("")).not.toContain(TOKENS[0]);
  });
});

it.each([
  ["/mcp/s/0123456789abcdef/?api_key=secret#x", "/mcp/s/…/?…"],
  ["https://a-long-name-of-a-server.example/mcp?key=secret", "https://a-long-name-of-a-server.example/mcp?…"],
])("the address that a server names is shown without what may be a key in it: %s", async (location, told) => {
  const server = mcpServer();
  server.instead = () => new Response(null, { status: 308, headers: { location } });
  const { session } = await host(server);
  const error = `it answered 308 Permanent Redirect and points to ${told}, where nothing was sent`;
  expect(await session.request("tools/list", {}, never())).toMatchObject({ error });
});
