// The registry: which tools it refuses, how it finds tools, and how it describes them to models.
import { describe, expect, it } from "vitest";
import { date, number, object, optional, string } from "zod";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { requires } from "../../../src/toolkit/define/rules.ts";
import { defineTool, type Tool } from "../../../src/toolkit/define/tool.ts";
import { tools } from "../../../src/tools/index.ts";
import { COUNTS, PUTS, READS } from "../arrange.ts";

const named = (name: string, description = "Does something."): Tool =>
  defineTool({
    name,
    description,
    input: object({ who: string().describe("A name."), times: optional(number()) }),
    category: "safe",
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: () => ({ ok: true, data: null }),
  });

describe("a registry", () => {
  it.each(["a", "roll_dice", "_x", "A-1", "x".repeat(64)])("accepts a tool called %s", (name) => {
    expect(createToolRegistry([named(name)]).get(name)?.name).toBe(name);
  });

  it.each(["", "1st", "two words", "dot.ted", "-x", "ünï", "x".repeat(65), "a\n"])(
    "refuses a tool called %j",
    (name) => {
      expect(() => createToolRegistry([named(name)])).toThrow(`bad tool name "${name}"`);
    },
  );

  it("reports all problems at once", () => {
    expect(() => createToolRegistry([named("a"), named("b", "  "), named("a"), named("no good")])).toThrow(
      'tool b has no description; two tools are called a; bad tool name "no good"',
    );
  });

  it("finds tools by their exact name, and never a built-in property", () => {
    const registry = createToolRegistry([named("a")]);
    const found = ["a", "A", "a ", "toString", "__proto__", "constructor", ""].map((name) => registry.get(name)?.name);
    expect(found).toEqual(["a", undefined, undefined, undefined, undefined, undefined, undefined]);
  });

  it("lists and describes tools in one order, whatever order they were added in", () => {
    const one = createToolRegistry([named("b"), named("A"), named("a"), named("_")]);
    const other = createToolRegistry([named("_"), named("a"), named("A"), named("b")]);
    expect(one.list().map(({ name }) => name)).toEqual(["A", "_", "a", "b"]);
    expect(JSON.stringify(one.schemas())).toBe(JSON.stringify(other.schemas()));
  });

  it("describes parameters in JSON Schema, without the dialect that models do not read", () => {
    expect(createToolRegistry([named("a")]).schemas()).toEqual([
      {
        name: "a",
        description: "Does something.",
        parameters: {
          type: "object",
          properties: { who: { type: "string", description: "A name." }, times: { type: "number" } },
          required: ["who"],
        },
      },
    ]);
  });

  it("builds the descriptions once, and again when a tool is added", () => {
    const registry = createToolRegistry([named("a")]);
    const before = registry.schemas();
    expect(registry.schemas()).toBe(before);
    expect(registry.register(named("b")).schemas()).toHaveLength(2);
  });

  it("states the rules between parameters in the description for models", () => {
    const tool = { ...named("a"), rules: [requires("times", "who")] };
    expect(createToolRegistry([tool]).schemas()[0]?.description).toBe("Does something. Give who when times is given.");
  });

  it("returns the tools of a category", () => {
    const slow: Tool = { ...named("slow"), category: "async" };
    const registry = createToolRegistry([slow, named("b"), named("a")]);
    const names = (category: Tool["category"]) => registry.byCategory(category).map(({ name }) => name);
    expect([names("safe"), names("async"), names("dangerous")]).toEqual([["a", "b"], ["slow"], []]);
  });

  it("adds one tool or many in a chain, and adds either all of many or none", () => {
    const registry = createToolRegistry()
      .register(named("a"))
      .registerMany([named("c"), named("b")]);
    expect(() => registry.registerMany([named("d"), named("a"), named("e", " ")])).toThrow(
      "two tools are called a; tool e has no description",
    );
    expect(() => registry.register(named("b"))).toThrow("two tools are called b");
    expect(registry.list().map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it.each<[string, object, string]>([
    ["an unknown category", { category: "quick" }, "has no category"],
    [
      "a missing hint",
      { hints: { readOnly: true, destructive: false } },
      "does not say whether it is idempotent, openWorld",
    ],
    ["no function", { execute: null }, "can't be executed"],
    ["a timeout of zero", { timeoutMs: 0 }, "has a timeout outside 1 to 120000 ms"],
    ["too long a result", { maxResultChars: 100_001 }, "has results of more than 100000 characters"],
    ["too long a timeout", { timeoutMs: 120_001 }, "has a timeout outside 1 to 120000 ms"],
    ["no attempt", { retry: { attempts: 0 } }, "has attempts outside 1 to 4"],
    ["an attempt and a half", { retry: { attempts: 1.5 } }, "has attempts outside 1 to 4"],
    ["too many attempts", { retry: { attempts: 5 } }, "has attempts outside 1 to 4"],
    [
      "retries although it may not run twice",
      { category: "async", hints: COUNTS, retry: { attempts: 2 } },
      "retries but may not run twice",
    ],
    ["the safe category although it writes", { hints: PUTS }, "is safe but not read-only"],
    ["contrary hints", { hints: { ...READS, destructive: true } }, "is read-only and destructive"],
    [
      "a cache although it writes",
      { category: "async", hints: PUTS, cache: { scope: "turn" } },
      "caches but does more than read",
    ],
    ["a cache in storage that never expires", { cache: { scope: "persistent" } }, "caches in storage forever"],
    ["a cache time of zero", { cache: { scope: "turn", ttlSeconds: 0 } }, "has no positive cache lifetime"],
    ["an unknown cache scope", { cache: { scope: "tick" } }, "has an unknown cache scope"],
    ["a result limit of zero", { maxResultChars: 0 }, "leaves no room for a result"],
    [
      "a built-in restart type",
      { restarts: ["context_restart_image"] },
      'registers "context_restart_image", which is taken',
    ],
    [
      "a reserved restart type",
      { restarts: ["context_restart_gif"] },
      'registers "context_restart_gif", which is taken',
    ],
    ["an unknown restart type", { restarts: ["chart"] }, 'registers "chart", which is not a restart type'],
    ["input that is not an object", { input: string() }, "does not take an object"],
    ["input that JSON Schema can't describe", { input: object({ at: date() }) }, "has an unusable schema"],
  ])("refuses a tool with %s", (_, over, problem) => {
    expect(() => createToolRegistry([{ ...named("a"), ...over } as Tool])).toThrow(`tool a ${problem}`);
  });

  it.each<[string, object]>([
    ["one attempt", { retry: { attempts: 1 } }],
    ["four attempts", { retry: { attempts: 4 } }],
  ])("accepts a tool with %s", (_, over) => {
    expect(createToolRegistry([{ ...named("a"), ...over }]).get("a")?.name).toBe("a");
  });

  it.each<[string, object]>([
    ["a bad pattern", { properties: { a: { type: "string", pattern: "(" } } }],
    ["a bad pattern for names", { patternProperties: { "[": {} } }],
    ["a pattern for names that may take too long", { patternProperties: { "^(a+)+$": {} } }],
    ["a reference to nothing", { properties: { a: { $ref: "#/$defs/none" } } }],
  ])("leaves out a dynamic tool whose schema has %s, logs it, and keeps the others", async (_, schema) => {
    const lines: unknown[] = [];
    const bad = { ...named("bad"), input: { type: "object", ...schema } } as Tool;
    const registry = createToolRegistry([named("good"), bad], (line, { tool, reason }) =>
      lines.push([line, tool, typeof reason]),
    );
    expect(registry.list().map(({ name }) => name)).toEqual(["good"]);
    expect([registry.get("bad"), await registry.open("bad"), registry.schemas().length]).toEqual([null, null, 1]);
    expect(lines).toEqual([["a tool was left out: its schema does not compile", "bad", "string"]]);
  });
});

it("the built-in tools form a valid registry, and each takes an object with described parameters", () => {
  const schemas = createToolRegistry(tools).schemas();
  expect(schemas.map(({ name }) => name)).toEqual([...schemas.map(({ name }) => name)].sort());
  for (const { parameters } of schemas) {
    expect(parameters.type).toBe("object");
    for (const property of Object.values(parameters.properties as Record<string, { description?: string }>))
      expect(property.description).toBeTruthy();
  }
});
