// What the tool runtime needs from workerd itself: the source text of numbers, schemas without eval, JSON repair, a digest.
import { describe, expect, it } from "vitest";
import { int, object, string } from "zod";
import { customTool } from "../../src/toolkit/define/custom-tool.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool, type Tool } from "../../src/toolkit/define/tool.ts";
import { createResultCache } from "../../src/toolkit/run/cache.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import type { CacheEntry } from "../../src/toolkit/run/runtime-ports.ts";

const echo = (over: Partial<Tool> = {}): Tool =>
  defineTool({
    name: "echo",
    description: "Answers its arguments.",
    input: object({ user: string() }),
    category: "safe",
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: (data) => ({ ok: true, data }),
    ...over,
  });
const run = (tool: Tool, args: string) =>
  new ToolRuntime(createToolRegistry([tool])).execute({ name: "echo", arguments: args });

describe("inside workerd", () => {
  it("a Discord id without quotes keeps its digits", async () => {
    expect((await run(echo(), '{"user":310821941123456789}')).data).toEqual({ user: "310821941123456789" });
    expect((await run(echo({ input: object({ user: int() }) }), '{"user":310821941123456789}')).status).toBe(
      "invalid_input",
    );
  });

  it("a JSON Schema known only at run time checks, coerces and refuses", async () => {
    const inputSchema = {
      type: "object",
      properties: { n: { type: "integer", maximum: 9 }, code: { type: "string", pattern: "^[A-Z]+$" } },
      required: ["n"],
      dependentRequired: { code: ["n"] },
    };
    const tool = customTool({
      name: "echo",
      description: "Answers its arguments.",
      inputSchema,
      run: (input) => input,
    });
    expect((await run(tool, '{"n":"7","code":"AB"}')).data).toEqual({ n: 7, code: "AB" });
    expect((await run(tool, '{"n":10,"code":"ab"}')).issues).toHaveLength(2);
  });

  it("arguments that are almost JSON are repaired, and cut ones are not", async () => {
    expect((await run(echo(), "{'user': 'Mira',}")).data).toEqual({ user: "Mira" });
    expect((await run(echo(), '{"user": "Mi')).status).toBe("truncated_input");
  });

  it("a result is cached under a digest of its call", async () => {
    const storage = new Map<string, CacheEntry>();
    const cache = createResultCache(storage);
    const tool = echo({ cache: { scope: "persistent", ttlSeconds: 60 } });
    const runtime = new ToolRuntime(createToolRegistry([tool]), { cache });
    await runtime.execute({ name: "echo", arguments: '{"user":"Mira"}' });
    const again = await runtime.execute({ name: "echo", arguments: '{"user":"Mira"}' });
    expect([again.meta.cached, [...storage.keys()]]).toEqual([true, [expect.stringMatching(/^[0-9a-f]{64}$/)]]);
  });

  it("a tool that never answers is given up by the platform's own clock", async () => {
    const tool = echo({ execute: () => new Promise(() => {}), timeoutMs: 1, retry: { attempts: 1 } });
    expect(await run(tool, '{"user":"Mira"}')).toMatchObject({ status: "timeout", meta: { attempts: 1 } });
  });
});
