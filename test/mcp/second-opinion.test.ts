// Our client of the protocol against servers that others wrote: the reference server of the protocol's own project, and
// aimock's. A wrong belief about the protocol would fail here.
import { MCPMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { type Client, mcpClient, never } from "./arrange.ts";
import { type ReferenceServer, startReferenceServer } from "./reference-server.ts";

const SHOWN = "shown after the results, if you can see pictures";

describe("the reference server", () => {
  let server: ReferenceServer;
  let client: Client;
  beforeAll(async () => {
    server = await startReferenceServer();
    client = mcpClient(server.url, { id: "everything" });
  });
  afterAll(() => server?.stop());

  const call = (name: string, input: object = {}) => client.call(`everything_${name}`, input);

  it("lists its tools, all of which can be offered except the one that it runs only as a task", async () => {
    const lines: string[] = [];
    const registry = createToolRegistry(await client.turn(), (line) => lines.push(line));
    const names = registry.list().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["everything_echo", "everything_get-sum", "everything_get-tiny-image"]),
    );
    expect(names).not.toContain("everything_simulate-research-query");
    const left = { server: "everything", tool: "simulate-research-query", reason: "it only runs as a task" };
    expect([lines, client.lines]).toEqual([[], [`a remote tool was left out ${JSON.stringify(left)}`]]);
    const params = { name: left.tool, arguments: { topic: "bees" } };
    expect(await client.session.request("tools/call", params, never())).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("requires task augmentation") }] },
    });
    expect(registry.schemas().find(({ name }) => name === "everything_get-sum")?.parameters).toMatchObject({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    });
  });

  it("runs a tool with converted arguments", async () => {
    expect(await call("echo", { message: "h\u00e9llo" })).toMatchObject({
      ok: true,
      data: { text: "Echo: h\u00e9llo" },
    });
    expect(await call("get-sum", { a: "2", b: 40 })).toMatchObject({
      ok: true,
      data: { text: "The sum of 2 and 40 is 42." },
    });
  });

  it("reports the progress of a call", async () => {
    let told = 0;
    const params = { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 3 } };
    const goesOn = () => {
      told++;
    };
    expect(await client.session.request("tools/call", params, never(), { goesOn })).toMatchObject({ ok: true });
    expect(told).toBe(3);
  });

  it("gives structured data without the text that repeats it", async () => {
    const result = await call("get-structured-content", { location: "Chicago" });
    expect(result).toMatchObject({ ok: true, data: { structured: { temperature: expect.any(Number) } } });
    expect(result.data).not.toHaveProperty("text");
  });

  it("gives a picture, which a model that sees is shown", async () => {
    expect(await call("get-tiny-image")).toMatchObject({
      ok: true,
      data: { parts: [{ type: "image", mimeType: "image/png", bytes: expect.any(Number), note: SHOWN }] },
    });
  });

  it("gives resources and links to them", async () => {
    expect(await call("get-resource-reference", { resourceType: "Text", resourceId: 1 })).toMatchObject({
      data: {
        parts: [{ type: "resource", uri: expect.any(String), mimeType: "text/plain", text: expect.any(String) }],
      },
    });
    const links = await call("get-resource-links", { count: 2 });
    expect(links).toMatchObject({ data: { parts: [{ type: "resource_link" }, { type: "resource_link" }] } });
  });

  it("reports a breach of its own rules as a result, not as a protocol error", async () => {
    expect(await call("get-resource-reference", { resourceType: "Text", resourceId: -1 })).toMatchObject({
      ok: false,
      error: expect.stringContaining("Invalid resourceId"),
    });
  });

  it("can be stopped in the middle of a long call", async () => {
    const stop = new AbortController();
    const result = client.call("everything_trigger-long-running-operation", { duration: 600, steps: 1 }, stop.signal);
    setImmediate(() => stop.abort({ kind: "flagged" }));
    expect(await result).toMatchObject({ ok: false, status: "aborted" });
    expect(await call("echo", { message: "still here" })).toMatchObject({ ok: true });
  });

  it("forgets the session when it restarts, and gets a new one", async () => {
    await server.stop();
    server = await startReferenceServer(Number(new URL(server.url).port));
    expect(await call("echo", { message: "again" })).toMatchObject({ ok: true, data: { text: "Echo: again" } });
  });
});

describe("aimock's server", () => {
  let mock: MCPMock;
  let client: Client;
  beforeEach(async () => {
    mock = new MCPMock();
    mock.addTool({
      name: "weather",
      description: "Tells the weather.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    client = mcpClient(await mock.start(), { id: "mock" });
  });
  afterEach(() => mock.stop());

  it("lists and runs a tool within the session that it assigned", async () => {
    mock.onToolCall("weather", (args) => `Sunny in ${(args as { city: string }).city}`);
    expect(await client.call("mock_weather", { city: "Oslo" })).toEqual({
      ok: true,
      status: "ok",
      data: { text: "Sunny in Oslo" },
    });
    expect([...mock.getSessions().values()].map(({ initialized }) => initialized)).toEqual([true]);
  });

  it("gives pictures and resources", async () => {
    mock.onToolCall("weather", () => [
      { type: "text", text: "Look:" },
      { type: "image", data: "iVBORw0KGgoA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "weather://oslo", text: "Sunny", mimeType: "text/plain" } },
    ]);
    expect((await client.call("mock_weather", { city: "Oslo" })).data).toEqual({
      text: "Look:",
      parts: [
        { type: "image", mimeType: "image/png", bytes: 9, note: SHOWN },
        { type: "resource", uri: "weather://oslo", mimeType: "text/plain", text: "Sunny" },
      ],
    });
  });

  it("reports a failure within a tool as a result", async () => {
    mock.onToolCall("weather", () => {
      throw new Error("no satellite");
    });
    expect(await client.call("mock_weather", { city: "Oslo" })).toEqual({
      ok: false,
      status: "error",
      error: "no satellite",
    });
  });

  it("gets a new handshake when it forgets its sessions", async () => {
    mock.onToolCall("weather", () => "Sunny");
    await client.call("mock_weather", { city: "Oslo" });
    mock.reset();
    mock.addTool({ name: "weather", inputSchema: { type: "object" } }).onToolCall("weather", () => "Rain");
    expect(await client.call("mock_weather", { city: "Oslo" })).toMatchObject({ ok: true, data: { text: "Rain" } });
    expect(mock.getSessions().size).toBe(1);
  });
});
