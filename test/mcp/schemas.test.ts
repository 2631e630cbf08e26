// The schemas in a server's list: one that a model's provider would refuse costs its own tool, and no other.
import { describe, expect, it } from "vitest";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { listed, mcpServer } from "../support/mcp-server.ts";
import { host } from "./arrange.ts";

const names = (tools: readonly Pick<Tool, "name">[]) => tools.map(({ name }) => name);

const within = (a: object) => ({ type: "object", properties: { a } });
/** A schema that uses one of its definitions, each of which uses the next one this many times. */
const using = (name: string) => ({ type: "object", properties: { a: { $ref: `#/$defs/${name}` } } });
const doubling = (levels: number, times = 2) =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `d${level}`,
      level === levels - 1 ? { type: "string" } : { allOf: Array(times).fill({ $ref: `#/$defs/d${level + 1}` }) },
    ]),
  );

describe("a server that writes its schemas carelessly", () => {
  const NOTHING = { type: "object" };
  it.each<[string, unknown, object]>([
    ["null for a tool without input", null, NOTHING],
    ["nothing for a tool without input", {}, NOTHING],
    [
      "PHP's empty list for no parameters",
      { type: "object", properties: [], required: [], $defs: [] },
      { type: "object", properties: {}, required: [], $defs: {} },
    ],
    ["null for no parameters and for no required ones", { type: "object", properties: null, required: null }, NOTHING],
    [
      "null for what is not said, at any depth",
      within({ type: "array", description: null, enum: null, items: { type: "string", default: null, format: null } }),
      within({ type: "array", items: { type: "string", default: null } }),
    ],
    [
      "booleans as in older drafts",
      within({ type: "number", minimum: 0, exclusiveMinimum: true, required: true }),
      within({ type: "number", minimum: 0 }),
    ],
    ["no type at the top", { properties: { a: { type: "string" } } }, within({ type: "string" })],
    [
      "several types at the top",
      { ...within({ type: "string" }), type: ["null", "object"] },
      within({ type: "string" }),
    ],
  ])("keeps the tool if it writes %s", async (_what, inputSchema, told) => {
    const client = await host(mcpServer(listed("go", { inputSchema })));
    const [tool] = createToolRegistry(await client.turn()).schemas();
    expect([tool?.name, tool?.parameters]).toEqual(["it_go", told]);
    expect(client.lines).toEqual([]);
    expect(await client.call("it_go")).toMatchObject({ ok: true });
  });
});

describe("a server that lies about its schemas", () => {
  it("keeps the tool whose schema uses its definitions repeatedly, as people write them", async () => {
    const point = { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } };
    const line = { type: "object", properties: { from: { $ref: "#/$defs/point" }, to: { $ref: "#/$defs/point" } } };
    const lines = Array.from({ length: 30 }, (_, index) => [`line_${index}`, { $ref: "#/$defs/line" }]);
    const inputSchema = { type: "object", properties: Object.fromEntries(lines), $defs: { point, line } };
    const client = await host(mcpServer(listed("draw", { inputSchema })));
    expect(names(createToolRegistry(await client.turn()).list())).toEqual(["it_draw"]);
    expect(client.lines).toEqual([]);
  });

  it.each([
    ["a choice at its top", { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
    ["a list of which nothing is said", within({ type: "array" })],
    ["a parameter with a strange name that is not required", { properties: { "filter[name]": {}, $top: {} } }],
  ])("keeps the tool whose schema has %s, which models get in another form", async (_what, over) => {
    const client = await host(mcpServer(listed("go", { inputSchema: { type: "object", ...over } })));
    expect(names(createToolRegistry(await client.turn()).list())).toEqual(["it_go"]);
    expect(client.lines).toEqual([]);
  });

  it.each([
    ["is not for an object", { type: "string" }, "it does not take an object"],
    ["is a list", [], "it does not take an object"],
    ["is a text", "object", "it does not take an object"],
    ["has properties that are not an object", { type: "object", properties: "many" }, "a part of it is not a schema"],
    [
      "has a property that is not a schema",
      { type: "object", properties: { a: "text" } },
      "a part of it is not a schema",
    ],
    [
      "needs a parameter with a strange name",
      { type: "object", properties: { "a b": {} }, required: ["a b"] },
      "it needs a parameter whose name models refuse",
    ],
    ["has a required that is not a list", { type: "object", required: "a" }, "its required is not a list of names"],
    [
      "has a flag that is not one",
      within({ type: "array", items: {}, uniqueItems: "yes" }),
      "its uniqueItems is not a boolean",
    ],
    ["has a list where one schema belongs", within({ additionalProperties: [] }), "a part of it is not a schema"],
    ["has a choice of nothing", within({ anyOf: [] }), "a part of it is not a schema"],
    ["has examples that are not a list", within({ examples: "x" }), "its examples are not a list"],
    ["has an unknown type", { type: "object", properties: { a: { type: "str" } } }, "it has an unknown type"],
    ["has an empty enum", { type: "object", properties: { a: { enum: [] } } }, "its enum is not a list"],
    ["refers to itself", { type: "object", properties: { a: { items: { $ref: "#" } } } }, "it refers to itself"],
    [
      "refers to itself in a circle",
      { ...using("a"), $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
      "it refers to itself",
    ],
    [
      "refers to itself by another name",
      { ...using("a"), $defs: { a: { $anchor: "x", allOf: [{ $ref: "#x" }] } } },
      "it refers to itself",
    ],
    [
      "refers to itself by an address",
      { ...using("a"), $id: "https://it.example/s", $defs: { a: { allOf: [{ $ref: "s#/$defs/a" }] } } },
      "it refers to itself",
    ],
    ["refers to what it is used in", { ...using("a"), $defs: { a: { $recursiveRef: "#" } } }, "it refers to itself"],
    ["doubles with every level", { ...using("d0"), $defs: doubling(12) }, "its references make it too large"],
    ["has a long chain of references", { ...using("d0"), $defs: doubling(90, 1) }, "it is too deep"],
    ["is huge", { type: "object", description: "x".repeat(20_000) }, "it is longer than 16384 characters"],
  ])("loses the tool whose schema %s, and no other", async (_what, inputSchema, reason) => {
    const client = await host(mcpServer(listed("bad", { inputSchema }), listed("good")));
    expect(names(createToolRegistry(await client.turn()).list())).toEqual(["it_good"]);
    const detail = JSON.stringify({ server: "it", tool: "bad", reason });
    expect(client.lines).toEqual([`a remote tool was left out ${detail}`]);
  });

  it("keeps the tool whose pattern has escapes that only a browser accepts, and leaves its check to the server", async () => {
    const inputSchema = within({ type: "string", pattern: "^https\\:\\/\\/" });
    const client = await host(mcpServer(listed("go", { inputSchema })));
    expect(createToolRegistry(await client.turn()).schemas()[0]?.parameters).toEqual(inputSchema);
    expect(await client.call("it_go", { a: "ftp://x" })).toMatchObject({ ok: true });
    expect(client.lines).toEqual([]);
  });

  it.each([
    ["an invalid pattern", { a: { type: "string", pattern: "(" } }],
    ["a reference to nothing", { a: { $ref: "#/$defs/absent" } }],
  ])("loses the tool with %s, which only compiling reveals", async (_what, properties) => {
    const client = await host(
      mcpServer(listed("bad", { inputSchema: { type: "object", properties } }), listed("good")),
    );
    const lines: string[] = [];
    const registry = createToolRegistry(await client.turn(), (line) => lines.push(line));
    expect(names(registry.list())).toEqual(["it_good"]);
    expect(lines).toEqual(["a tool was left out: its schema does not compile"]);
  });
});
