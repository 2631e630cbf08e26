// What models read about a server's tool, and what its arguments are checked against.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { foreignTools } from "../../../src/toolkit/define/foreign-tools.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { buildRegistry } from "../../../src/toolkit/define/tool-cards.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import { COUNTS, probe } from "../arrange.ts";

const foreign = (input: object, execute: Tool["execute"] = () => ({ ok: true, data: null })) =>
  buildRegistry(
    foreignTools(
      [probe(execute, { name: "go", input: input as Tool["input"], category: "async", hints: COUNTS })],
      () => {},
    ),
  );
const toldOf = (input: object) => foreign(input).schemas()[0]?.parameters;
const within = (a: object) => ({ type: "object", properties: { a } });
const [number, text] = [{ type: "number" }, { type: "string" }];

describe("the schema that models get of a server's tool", () => {
  it.each<[string, object, object]>([
    ["has properties, without which OpenAI refuses all tools", { type: "object" }, { type: "object", properties: {} }],
    [
      "allows in each place of a list what one of its places allows",
      within({ type: "array", prefixItems: [number, text], items: false, minItems: 2 }),
      within({ type: "array", items: { anyOf: [number, text] }, minItems: 2 }),
    ],
    [
      "does so if positions are written in the older way, and inside them",
      within({ type: "array", items: [{ type: "array", items: [number] }] }),
      within({ type: "array", items: { anyOf: [{ type: "array", items: { anyOf: [number] } }] } }),
    ],
    [
      "allows everything in a list without positions",
      within({ type: "array", items: [] }),
      within({ type: "array", items: {} }),
    ],
    [
      "allows everything in a list of which nothing is said",
      within({ anyOf: [{ type: "array" }, { type: ["array", "null"] }] }),
      within({
        anyOf: [
          { type: "array", items: {} },
          { type: ["array", "null"], items: {} },
        ],
      }),
    ],
    [
      "has the parameters of each choice at its top, which Anthropic and OpenAI take nowhere but inside",
      {
        type: "object",
        properties: { id: text },
        required: ["id"],
        $defs: { page: { properties: { kind: { const: "page" }, page: text } } },
        anyOf: [{ $ref: "#/$defs/page" }, { properties: { kind: { const: "file" }, id: text }, required: ["kind"] }],
        not: { required: ["never"] },
      },
      {
        type: "object",
        properties: { id: text, kind: { anyOf: [{ const: "page" }, { const: "file" }] }, page: text },
        required: ["id"],
        $defs: { page: { properties: { kind: { const: "page" }, page: text } } },
      },
    ],
    [
      "has in its place what a reference to anything but $defs points at, because Moonshot refuses those",
      {
        type: "object",
        properties: {
          a: { $ref: "#/definitions/list", description: "Some." },
          b: { $ref: "#/properties/c" },
          c: { $ref: "#/$defs/x" },
        },
        definitions: { list: { type: "array", items: { $ref: "#/definitions/item" } }, item: number },
        $defs: { x: text },
      },
      {
        type: "object",
        properties: {
          a: { type: "array", items: number, description: "Some." },
          b: { $ref: "#/$defs/x" },
          c: { $ref: "#/$defs/x" },
        },
        $defs: { x: text },
      },
    ],
    [
      "also has it if the reference leads into a list, as zod-to-json-schema writes them",
      {
        type: "object",
        properties: { a: { anyOf: [within(number), { type: "null" }] }, b: { $ref: "#/properties/a/anyOf/0" } },
      },
      { type: "object", properties: { a: { anyOf: [within(number), { type: "null" }] }, b: within(number) } },
    ],
    [
      "has what a reference points at from a part with an address of its own, not what is at the same path from the top",
      within({ $id: "https://a.example/b", properties: { a: text, b: { $ref: "#/properties/a" } } }),
      within({ $id: "https://a.example/b", properties: { a: text, b: text } }),
    ],
    [
      "has what a reference points at by a name that looks like a path",
      { type: "object", properties: { a: within({ $ref: "#/properties/a" }), b: { $anchor: "/properties/a" } } },
      { type: "object", properties: { a: within({ $anchor: "/properties/a" }), b: { $anchor: "/properties/a" } } },
    ],
    [
      "has what a reference points at by a name within a list",
      { type: "object", properties: { a: { type: "array", items: { $anchor: "one", ...text } }, b: { $ref: "#one" } } },
      {
        type: "object",
        properties: { a: { type: "array", items: { $anchor: "one", ...text } }, b: { $anchor: "one", ...text } },
      },
    ],
    [
      "has no parameter by a name that Anthropic refuses, at any depth",
      { type: "object", properties: { $top: number, a: { type: "object", properties: { "b[]": text, b: text } } } },
      { type: "object", properties: { a: { type: "object", properties: { b: text } } } },
    ],
    [
      "keeps a value that looks like a list of places, and parameters that are called like one",
      { ...within({ type: "object", default: { items: [1] } }), $defs: { prefixItems: text, items: text } },
      { ...within({ type: "object", default: { items: [1] } }), $defs: { prefixItems: text, items: text } },
    ],
    [
      "does so in parameters that are called like a value",
      { type: "object", properties: { default: { type: "array", items: [number] } } },
      { type: "object", properties: { default: { type: "array", items: { anyOf: [number] } } } },
    ],
  ])("%s", (_what, given, told) => {
    expect(toldOf(given)).toEqual(told);
  });

  it("keeps its references if it would be longer than 32,768 characters without them", () => {
    const a = { type: "string", description: "x".repeat(2000) };
    const referring = Array.from({ length: 16 }, (_, index) => [`p${index}`, { $ref: "#/definitions/a" }]);
    const keeps = (more: number) => {
      const properties = { ...Object.fromEntries(referring), more: { description: "x".repeat(more) } };
      const schema = { type: "object", properties, definitions: { a } };
      const told = toldOf(schema);
      return [JSON.stringify(told).length, isDeepStrictEqual(told, schema)];
    };
    const [shortest = 0] = keeps(0);
    const most = 32_768 - Number(shortest);
    expect(keeps(most)).toEqual([32_768, false]);
    expect(keeps(most + 1)).toEqual([expect.any(Number), true]);
  });

  it("stays exactly as the server wrote it if every provider accepts it", () => {
    const schema = { properties: { b: { type: "array", items: text }, a: number }, type: "object", required: ["a"] };
    expect(JSON.stringify(toldOf(schema))).toBe(JSON.stringify(schema));
  });

  it("is not what its arguments are checked against", async () => {
    const got: unknown[] = [];
    const run = async (input: object, args: object) => {
      const runtime = new ToolRuntime(foreign(input, (given) => ({ ok: true, data: got.push(given) })));
      return (await runtime.execute({ name: "go", arguments: args })).status;
    };
    const pair = within({ type: "array", prefixItems: [number, text] });
    expect([await run({ type: "object" }, { anything: 1 }), await run(pair, { a: ["x", 1] })]).toEqual([
      "ok",
      "invalid_input",
    ]);
    const either = {
      type: "object",
      properties: { a: number, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect([await run(either, { a: "1" }), await run(either, {}), await run(either, { a: 1, b: "x" })]).toEqual([
      "ok",
      "invalid_input",
      "invalid_input",
    ]);
    // A parameter with the name of a keyword says nothing about its schema.
    const odata = { type: "object", properties: { $top: number, $ref: text } };
    expect([await run(odata, { $top: 1 }), await run(odata, { $top: "x" })]).toEqual(["ok", "invalid_input"]);
    expect(got).toEqual([{ anything: 1 }, { a: 1 }, { $top: 1 }]);
  });
});
