// The pages are true to the code: links, files and scripts exist, the first page stays short, and the new tool that one page shows
// really works.
import { globSync, readdirSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { isSettingKey } from "../src/channel/settings.ts";
import type { CommandTree } from "../src/discord/commands/command-shapes.ts";
import { commands } from "../src/discord/commands/commands.ts";
import { createToolRegistry } from "../src/toolkit/define/registry.ts";
import type { Tool } from "../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../src/toolkit/run/runtime.ts";
import { tools } from "../src/tools/index.ts";
import {
  anchorsOf,
  codeBlocks,
  codeSpans,
  isThere,
  linksIn,
  PAGES,
  pathFrom,
  readProse,
  readText,
  sectionOf,
  tableIn,
} from "./support/pages.ts";
import { listSources, readSource } from "./support/source-tree.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MOST_BYTES = 10_240;
const MOST_PICTURE_BYTES = 100_000;

describe("README.md", () => {
  const readme = readText("README.md");

  it("has at most 10 KB, and two pictures of at most 100 KB each", () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(MOST_BYTES);
    const pictures = linksIn(readme).filter(({ target }) => target.endsWith(".png"));
    expect(pictures).toHaveLength(2);
    for (const { target } of pictures)
      expect(statSync(join(ROOT, target)).size).toBeLessThanOrEqual(MOST_PICTURE_BYTES);
  });

  it("starts the playground and the tests with one line each", () => {
    const commands = codeBlocks(sectionOf("README.md", "## Run it"), "sh").map((code) => code.trim());
    expect(commands).toEqual(expect.arrayContaining(["npm ci && npm start", "npm ci && npm test"]));
  });

  it("follows one message through ten files that exist", () => {
    const steps = sectionOf("README.md", "### Follow one message").match(/^\d+\. .+$/gm) ?? [];
    const files = steps.map((step) => linksIn(step)[0]);
    expect(files).toHaveLength(10);
    expect(files.filter((link) => link?.name !== `\`${link?.target}\`` || !isThere(link.target))).toEqual([]);
  });
});

it("the list of pages has every page of the repository", () => {
  const exclude = (name: string) =>
    ["node_modules", "corpus", ".git", ".wrangler", ".bench", "dist"].includes(basename(name));
  const pages = [...globSync("**/*.md", { cwd: ROOT, exclude }), ...globSync(".github/*.md", { cwd: ROOT })];
  expect([...new Set(pages)].sort()).toEqual([...PAGES].sort());
});

/** What begins with a slash but is not a command: addresses of the Worker, of the local world and of others, and a path. */
const ADDRESSES = /^\/(?:inspect|health|local|launcher|v1|audio|images|usr)(?![\w-])/;

/** Whether the command exists, and the subcommand if one is named. */
function isCommand(name: string, subcommand: string | undefined): boolean {
  const entry: CommandTree[string] | undefined = (commands as CommandTree)[name];
  if (!entry || subcommand === undefined) return entry !== undefined;
  return !("subcommands" in entry) || subcommand in entry.subcommands;
}

/** Names in capitals that the code contains, plus one from an example and one of another program. */
const NAMES = new Set([
  ...["src", "durable-objects", "test"]
    .flatMap(listSources)
    .flatMap((file) => readSource(file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  ...["GATEWAY_HEADERS", "OLLAMA_CONTEXT_LENGTH"],
]);

describe.each(PAGES)("%s", (page) => {
  const prose = readProse(page);

  it("has only links that lead to a file and a heading", () => {
    const relative = linksIn(prose).filter(({ target }) => !/^https?:/.test(target));
    const broken = relative.filter(({ target }) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : pathFrom(page, path);
      return !isThere(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("names only files that exist", () => {
    const named = codeSpans(prose).filter((code) =>
      /^(?:src|test|durable-objects|\.github|\.ci)\/[\w./-]+$/.test(code),
    );
    const linked = linksIn(prose).filter(({ name }) => /^`[^`]+\.(?:ts|txt|md)`$/.test(name));
    const misnamed = linked.filter(({ name, target }) => basename(name.slice(1, -1)) !== basename(target));
    expect([...named.filter((path) => !isThere(path)), ...misnamed]).toEqual([]);
  });

  it("names only commands, settings and variables that exist", () => {
    const spans = codeSpans(prose);
    const broken = spans.filter((span) => {
      const [, name = "", subcommand] = /^\/([a-z-]+)(?: ([a-z-]+)(?![\w:-]))?/.exec(span) ?? [];
      return name !== "" && !ADDRESSES.test(span) && !isCommand(name, subcommand);
    });
    const keys = spans.flatMap((span) => [...span.matchAll(/\bkey:(\w+)/g)].map(([, key = ""]) => key));
    const names = spans.flatMap((span) => span.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []);
    const unknown = [...keys.filter((key) => !isSettingKey(key)), ...names.filter((name) => !NAMES.has(name))];
    expect([...broken, ...unknown]).toEqual([]);
  });
});

describe("the scripts of package.json", () => {
  const text = PAGES.map(readText).join("\n");
  const calls = text.matchAll(/\bnpm (?:run (?:-s |--silent )?([a-z][\w:]*)|(start|test)\b)/g);
  const named = [...new Set([...calls].map(([, script, short]) => script ?? short ?? ""))];

  it("are all on a page, and no page names another", () => {
    expect(named.sort()).toEqual(Object.keys(manifest.scripts).sort());
  });
});

describe("test/README.md", () => {
  it("has every harness in its table", () => {
    const harnesses = readdirSync(join(ROOT, "test/support")).filter((name) => name.endsWith("-harness.ts"));
    const rows = tableIn(sectionOf("test/README.md", "## Which harness for what"));
    expect(rows.flatMap(([first = ""]) => codeSpans(first)).sort()).toEqual(harnesses.sort());
  });
});

/** Runs the text as a module, as if it were in src/tools. */
async function loadTool(text: string): Promise<Record<string, Tool>> {
  const absolute = stripTypeScriptTypes(text)
    .replace('"zod/mini"', JSON.stringify(import.meta.resolve("zod/mini")))
    .replace(/"\.\.\/([^"]+)"/g, (_, path) => JSON.stringify(pathToFileURL(join(ROOT, "src", path)).href));
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(absolute)}`);
}

describe("src/tools/README.md", () => {
  it("shows a new tool in under 30 lines that joins the others and answers", async () => {
    const [snippet = ""] = codeBlocks(sectionOf("src/tools/README.md", "## Add a tool"), "ts");
    expect(snippet.split("\n").length).toBeLessThan(30);
    const [tool] = Object.values(await loadTool(snippet));
    if (!tool) throw new Error("the page's tool exports nothing");
    const runtime = new ToolRuntime(createToolRegistry([...tools.filter(({ name }) => name !== tool.name), tool]), {
      random: () => 0.9,
    });
    expect(runtime.schemas().map(({ name }) => name)).toContain("pick_one");
    expect(await runtime.execute({ name: "pick_one", arguments: '{"options":["tea","coffee"]}' })).toMatchObject({
      ok: true,
      data: { picked: "coffee" },
    });
  });
});

/** Lists every key in a tree of plain objects. */
const keysIn = (tree: object): string[] =>
  Object.entries(tree).flatMap(([key, value]) => [key, ...(isTree(value) ? keysIn(value) : [])]);
const isTree = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

describe("src/discord/commands/README.md", () => {
  it("shows a new command in the form of the existing ones", async () => {
    const [snippet = ""] = codeBlocks(sectionOf("src/discord/commands/README.md", "## Add a command"), "ts");
    const source = `data:text/javascript,export const shown = {${encodeURIComponent(snippet)}};`;
    const { shown } = (await import(/* @vite-ignore */ source)) as { shown: object };
    const known = new Set([...keysIn(commands), "dice", "roll", "notation"]);
    expect(keysIn(shown)).toContain("access");
    expect(keysIn(shown).filter((key) => !known.has(key))).toEqual([]);
  });
});
