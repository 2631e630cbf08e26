// The README's new tool is a real one: it is taken from the page as it stands there, registered and called.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createToolRegistry } from "../src/toolkit/define/registry.ts";
import type { Tool } from "../src/toolkit/define/tool.ts";
import { createToolRuntime } from "../src/toolkit/run/runtime.ts";
import { tools } from "../src/tools/index.ts";

const ROOT = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const [, snippet = ""] = /## Add a tool[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];

/** Runs the text as the module that it would be in src/tools. */
async function moduleOf(text: string): Promise<Record<string, Tool>> {
  const absolute = stripTypeScriptTypes(text)
    .replace('"zod"', JSON.stringify(import.meta.resolve("zod")))
    .replace(/"\.\.\/([^"]+)"/g, (_, path) => JSON.stringify(pathToFileURL(join(ROOT, "src", path)).href));
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(absolute)}`);
}

it("shows a new tool in under 30 lines that joins the others and answers", async () => {
  expect(snippet.split("\n").length).toBeLessThan(30);
  const [tool] = Object.values(await moduleOf(snippet));
  if (!tool) throw new Error("the README's tool exports nothing");
  const runtime = createToolRuntime(createToolRegistry([...tools, tool]), { random: () => 0.9 });
  expect(runtime.schemas().map(({ name }) => name)).toContain("pick_one");
  expect(await runtime.execute({ name: "pick_one", arguments: '{"options":["tea","coffee"]}' })).toMatchObject({
    ok: true,
    data: { picked: "coffee" },
  });
});

it("names every tool that ships", () => {
  expect(tools.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
