// What one call through the runtime costs compared with calling the tool's function: parsing, checks, limits, the copy of the
// result. Prints and asserts nothing, because a shared machine's times prove nothing.
import type { Tool, ToolContext } from "../../src/toolkit/define/tool.ts";
import { acceptNoFlags } from "./no-flags.ts";

acceptNoFlags("bench:toolkit", "Prints what one call through the tool runtime costs over calling the tool's function.");

// Loaded only now, because the usage needs none of it.
const { object, optional, string } = await import("zod");
const { createToolRegistry } = await import("../../src/toolkit/define/registry.ts");
const { defineTool } = await import("../../src/toolkit/define/tool.ts");
const { createResultCache } = await import("../../src/toolkit/run/cache.ts");
const { ToolRuntime } = await import("../../src/toolkit/run/runtime.ts");
const { testContext } = await import("../toolkit/context.ts");

const WARM_UP_CALLS = 2000;
const CALLS = 20_000;
const ROUNDS = 5;

const base: Omit<Tool, "name" | "input"> = {
  description: "Answers a small object.",
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  execute: () => ({ ok: true, data: { temperature: 3, conditions: "snow", hours: [1, 2, 3] } }),
};
const input = object({ city: string(), units: optional(string()) });
const inputSchema = {
  type: "object",
  properties: { city: { type: "string" }, units: { type: "string" } },
  required: ["city"],
};
const tools: Tool[] = [
  defineTool({ ...base, name: "zod", input }),
  defineTool({ ...base, name: "dynamic", input: inputSchema }),
  defineTool({ ...base, name: "cached", input, cache: { scope: "session" } }),
];

const timers = { after: () => () => {}, clock: () => 0, random: () => 0 };
const runtime = new ToolRuntime(createToolRegistry(tools), { ...timers, cache: createResultCache() });
const context: ToolContext = testContext();
const direct: (input: unknown, context: never) => unknown = base.execute;
const args = '{"city":"Oslo","units":"metric"}';

/** Microseconds per call: the best of several rounds, because a pause of the machine only ever adds time. */
async function microseconds(work: () => unknown): Promise<number> {
  for (let n = 0; n < WARM_UP_CALLS; n++) await work();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    for (let n = 0; n < CALLS; n++) await work();
    best = Math.min(best, ((performance.now() - startedAt) * 1000) / CALLS);
  }
  return best;
}

const floor = await microseconds(() => direct({ city: "Oslo" }, context as never));
console.log(`${"the function alone".padEnd(40)} ${floor.toFixed(2)} µs`);
const rows: [string, string, string][] = [
  ["a zod schema", "zod", args],
  ["a JSON Schema", "dynamic", args],
  ["a cached answer", "cached", args],
  ["coercion of one value", "zod", '{"city":"Oslo","units":5}'],
  ["repaired arguments", "zod", "{'city': 'Oslo'}"],
  ["an unknown tool", "weather", args],
];
for (const [what, name, text] of rows) {
  const whole = await microseconds(() => runtime.execute({ name, arguments: text }, context));
  console.log(
    `${`execute: ${what}`.padEnd(40)} ${whole.toFixed(2)} µs, ${(whole - floor).toFixed(2)} µs of it overhead`,
  );
}
