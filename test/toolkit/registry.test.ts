// The registry: what it refuses to hold, how it finds, and what models are told.
import { describe, expect, it } from "vitest";
import { number, object, optional, string } from "zod";
import { createToolRegistry } from "../../src/toolkit/registry.ts";
import { defineTool, type Tool } from "../../src/toolkit/tool.ts";
import { tools } from "../../src/tools/index.ts";

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
  it.each(["a", "roll_dice", "_x", "A-1", "x".repeat(64)])("holds a tool called %s", (name) => {
    expect(createToolRegistry([named(name)]).get(name)?.name).toBe(name);
  });

  it.each(["", "1st", "two words", "dot.ted", "-x", "ünï", "x".repeat(65), "a\n"])(
    "refuses a tool called %j",
    (name) => {
      expect(() => createToolRegistry([named(name)])).toThrow(`bad tool name "${name}"`);
    },
  );

  it("tells all problems at once", () => {
    expect(() => createToolRegistry([named("a"), named("b", "  "), named("a"), named("no good")])).toThrow(
      'tool b has no description; two tools are called a; bad tool name "no good"',
    );
  });

  it("finds by exact name and reaches no property of its own making", () => {
    const registry = createToolRegistry([named("a")]);
    const found = ["a", "A", "a ", "toString", "__proto__", "constructor", ""].map((name) => registry.get(name)?.name);
    expect(found).toEqual(["a", undefined, undefined, undefined, undefined, undefined, undefined]);
  });

  it("lists and describes in one order, whatever the order of its making", () => {
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

  it("makes the descriptions once", () => {
    const registry = createToolRegistry([named("a")]);
    expect(registry.schemas()).toBe(registry.schemas());
  });
});

it("the tools that ship make a registry, and each is an object of described parameters", () => {
  const schemas = createToolRegistry(tools).schemas();
  expect(schemas.map(({ name }) => name)).toEqual([...schemas.map(({ name }) => name)].sort());
  for (const { parameters } of schemas) {
    expect(parameters.type).toBe("object");
    for (const property of Object.values(parameters.properties as Record<string, { description?: string }>))
      expect(property.description).toBeTruthy();
  }
});
