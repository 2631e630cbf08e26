// How much is accepted from a server: its tools, their descriptions, its whole list, and what it asks while a call is under way.
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_ANSWERED_REQUESTS } from "../../src/mcp/legacy-era.ts";
import { listTools, MAX_DESCRIPTION_BYTES, MAX_MANIFEST_BYTES, MAX_TOOLS } from "../../src/mcp/manifest.ts";
import { listed, mcpServer, says } from "../support/mcp-server.ts";
import { eventually } from "../support/web-server.ts";
import { type Client, host, hosted, mcpClient, never } from "./arrange.ts";

const tools = (count: number, over: object = {}) =>
  Array.from({ length: count }, (_, index) => listed(`tool-${index}`, over));
const serving = (entries: unknown[]) => Object.assign(mcpServer(...entries), { pageSize: 1000 });

describe("a server gives at most 64 tools:", () => {
  it("at the limit all of them, without a log line", async () => {
    const client = await host(serving(tools(MAX_TOOLS)));
    expect([(await client.turn()).length, client.lines]).toEqual([MAX_TOOLS, []]);
  });

  it("beyond the limit the first ones, with a line that says how many are missing", async () => {
    const client = await host(serving(tools(MAX_TOOLS + 3)));
    expect((await client.turn()).map(({ name }) => name)).toEqual(
      Array.from({ length: MAX_TOOLS }, (_, index) => `it_tool-${index}`),
    );
    expect(client.lines).toEqual([
      'a remote server lists too much, and some of it was left out {"server":"it","tools":3,"descriptions":0}',
    ]);
  });

  it("the configured ones first, wherever they are in its list", async () => {
    const wanted = ["tool-150", "tool-7"];
    const client = await host(serving(tools(200)), { tools: wanted });
    expect((await client.turn()).map(({ name }) => name).sort()).toEqual(["it_tool-150", "it_tool-7"]);
  });

  it("a tool that a new deploy configures at once, however long the stored list is valid", async () => {
    const { server, served, client: before } = await hosted(serving(tools(MAX_TOOLS + 1)));
    onTestFinished(() => served.close());
    await before.turn();
    const now = mcpClient(`${served.url}/mcp`, { tools: [`tool-${MAX_TOOLS}`] });
    for (const [id, json] of before.stored) now.stored.set(id, json);
    expect((await now.turn()).map(({ name }) => name)).toEqual([`it_tool-${MAX_TOOLS}`]);
    const asked = server.methods().length;
    now.evict();
    expect([(await now.turn()).length, server.methods().length]).toEqual([1, asked]);
  });
});

describe("a description in the stored list has at most 4 KiB: it", () => {
  const stored = ({ stored }: Client) =>
    (JSON.parse(stored.get("it") ?? "{}") as { tools: { description?: string; title?: string }[] }).tools;

  it.each([
    ["is whole at the limit", "x".repeat(MAX_DESCRIPTION_BYTES), MAX_DESCRIPTION_BYTES, 0],
    ["is cut past it", "x".repeat(MAX_DESCRIPTION_BYTES + 1), MAX_DESCRIPTION_BYTES, 1],
    [
      "is cut before a character that does not fit",
      "é".repeat(MAX_DESCRIPTION_BYTES / 2 + 1),
      MAX_DESCRIPTION_BYTES / 2,
      1,
    ],
  ])("%s", async (_, description, length, cut) => {
    const client = await host(serving([listed("look", { description })]));
    expect(await client.turn()).toHaveLength(1);
    expect(stored(client).map((tool) => tool.description?.length)).toEqual([length]);
    expect(client.lines).toHaveLength(cut);
  });

  it("has a title with the same limit", async () => {
    const client = await host(serving([listed("look", { title: "x".repeat(100_000) })]));
    await client.turn();
    expect(stored(client).map(({ title }) => title?.length)).toEqual([MAX_DESCRIPTION_BYTES]);
  });
});

describe("a whole list has at most 256 KiB:", () => {
  const sized = (name: string, bytes: number) => {
    const entry = (note: string) => listed(name, { inputSchema: { type: "object", properties: {}, note } });
    const frame = JSON.stringify(entry("")).length + 1;
    return entry("x".repeat(bytes - frame));
  };

  it.each([
    ["and at the limit nothing is missing", 0, ["it_a", "it_b"]],
    ["and past it what does not fit is missing", 1, ["it_a"]],
  ])("%s", async (_, more, names) => {
    const small = 10_000;
    const client = await host(serving([sized("a", small), sized("b", MAX_MANIFEST_BYTES - small - 1 + more)]));
    await client.turn();
    // A schema of that size disables its tool; what is stored is what counts here.
    const stored = JSON.parse(client.stored.get("it") ?? "{}") as { tools: { name: string }[] };
    expect(stored.tools.map(({ name }) => `it_${name}`)).toEqual(names);
    expect(client.lines.filter((line) => line.includes("lists too much"))).toHaveLength(more);
  });

  it("a larger one never throws, and a small tool after a huge one is still there", async () => {
    const client = await host(serving([sized("huge", 2 * 1024 * 1024), listed("look")]));
    expect((await client.turn()).map(({ name }) => name)).toEqual(["it_look"]);
    client.evict();
    expect((await client.turn()).map(({ name }) => name)).toEqual(["it_look"]);
  });
});

it("a server's own requests are answered up to ten times per call, and the call still gets its answer", async () => {
  for (const asked of [MAX_ANSWERED_REQUESTS, MAX_ANSWERED_REQUESTS + 1, 500]) {
    const server = mcpServer(listed("look"));
    const { session } = await host(server);
    await session.request("tools/list", {}, never());
    server.streams = true;
    server.before = Array.from({ length: asked }, (_, index) => ({ jsonrpc: "2.0", id: `p${index}`, method: "ping" }));
    const answers = () => server.heard.filter(({ id, result }) => String(id).startsWith("p") && result !== undefined);
    expect(await session.request("tools/call", { name: "look", arguments: {} }, never())).toEqual({
      ok: true,
      result: says("did look"),
    });
    await eventually(() => answers().length >= MAX_ANSWERED_REQUESTS);
    server.before = [];
    await session.request("tools/list", {}, never());
    expect(answers()).toHaveLength(MAX_ANSWERED_REQUESTS);
  }
});

it.each([null, "", 5])("a list whose next page is %j ends there, and its tools are accepted", async (nextCursor) => {
  let asked = 0;
  const session = {
    request: async () => {
      asked++;
      return { ok: true as const, result: { tools: [listed("look")], nextCursor } };
    },
  };
  const list = await listTools(session, () => true, new AbortController().signal);
  expect([list.ok && list.tools.map(({ name }) => name), asked]).toEqual([["look"], 1]);
});

describe("a list of pages", () => {
  /** Every page has one tool of this length, and names another page. */
  const askedFor = async (chars: number, cursorOf: (page: number) => string) => {
    let pages = 0;
    const request = async () => {
      const tool = listed(`tool-${++pages}`, { inputSchema: { type: "object", title: "x".repeat(chars) } });
      return { ok: true as const, result: { tools: [tool], nextCursor: cursorOf(pages) } };
    };
    const read = await listTools({ request }, () => true, never());
    return [pages, read.ok && read.tools.length];
  };

  it("ends where it names the same next page again", async () => {
    expect(await askedFor(10, () => "next")).toEqual([2, 2]);
  });

  it("is read as long as there is memory for it, and at most 20 pages", async () => {
    expect(await askedFor(10, String)).toEqual([20, 20]);
    expect(await askedFor(2 ** 20, String)).toEqual([4, 0]);
  });
});

it("an answer with more values than an object has memory for is not read", async () => {
  const server = mcpServer(listed("look"));
  const { session } = await host(server);
  const structured = (values: number) => ({
    ...says(""),
    structuredContent: Array.from({ length: values }, () => ({})),
  });
  const answered = async (values: number) => {
    server.onCall = () => structured(values);
    return session.request("tools/call", { name: "look", arguments: {} }, never());
  };
  expect(await answered(90_000)).toEqual({ ok: true, result: structured(90_000) });
  expect(await answered(250_000)).toEqual({
    ok: false,
    error: "it gave no readable answer; whether it did anything is unknown",
  });
});
