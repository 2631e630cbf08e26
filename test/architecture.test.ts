// The rooms of the repository: who may import whom, what may not be named where, how long a file may be.
// Change the table on purpose, together with the table in .github/CONTRIBUTING.md.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const AMBIENT = /\b(Date\.now|new Date\(\)|Math\.random|crypto\.|(?<!\.)fetch\(|setTimeout|setInterval|console\.)/;
const EVERYTHING_IN_SRC = [
  "src/core",
  "src/channel",
  "src/turn",
  "src/toolkit",
  "src/tools",
  "src/mcp",
  "src/discord",
  "src/model",
  "src/inspector",
  "src/config",
];

/**
 * `place` is a folder or a file; a file with a row of its own is no part of its folder's room. `imports` are folders, files or
 * packages; `banned` may not stand outside comments.
 */
const rooms: { place: string; imports: string[]; banned?: RegExp }[] = [
  {
    place: "src/core",
    imports: ["src/core", "get-east-asian-width"],
    banned: new RegExp(`${AMBIENT.source}|\\bawait\\b|\\bclass\\b`),
  },
  { place: "src/channel", imports: ["src/core", "src/channel", "zod"], banned: AMBIENT },
  { place: "src/turn", imports: ["src/core", "src/channel", "src/toolkit", "src/turn", "zod"], banned: AMBIENT },
  {
    place: "src/toolkit",
    imports: ["src/core", "src/toolkit", "zod", "jsonrepair", "@cfworker/json-schema"],
    banned: AMBIENT,
  },
  {
    place: "src/tools",
    imports: ["src/core", "src/toolkit/define/tool", "src/toolkit/run/http-answer", "src/tools", "zod", "html5parser"],
    banned: AMBIENT,
  },
  { place: "src/mcp", imports: ["src/core", "src/toolkit", "src/mcp", "zod"], banned: AMBIENT },
  {
    place: "src/discord",
    imports: ["src/core", "src/channel", "src/turn/ports", "src/discord", "zod", "discord-api-types"],
  },
  // A script for people, which nothing imports: the one file of its folder that runs in Node.
  {
    place: "src/discord/register.ts",
    imports: ["src/discord/commands/registration", "src/discord/rest/user-agent", "package.json", "node:"],
  },
  { place: "src/model", imports: ["src/core", "src/turn/ports", "src/toolkit/define/tool", "src/model", "openai"] },
  { place: "src/inspector", imports: ["src/core", "src/channel", "src/inspector", "hono"] },
  {
    place: "src/playground",
    imports: ["src/playground", "hono", "zod", "discord-api-spec", "cloudflare:workers", "node:", "esbuild"],
  },
  { place: "src/config.ts", imports: ["src/config", "zod", "package.json"] },
  { place: "src/config", imports: ["src/config", "zod"], banned: AMBIENT },
  {
    place: "src/app.ts",
    imports: ["src/core", "src/channel", "src/discord", "src/config", "src/inspector", "hono"],
    banned: AMBIENT,
  },
  {
    place: "src/index.ts",
    imports: ["src/app", "src/config", "src/discord/answers/channel-port", "durable-objects/channel"],
  },
  { place: "durable-objects", imports: [...EVERYTHING_IN_SRC, "durable-objects", "cloudflare:workers"] },
];
const MAX_LINES = 250;
const MAX_TEST_LINES = 400;
const VAGUE_NAMES = /^(utils?|helpers?|common|managers?|services?)\.ts$/;

const root = resolve(import.meta.dirname, "..");
const posix = (path: string) => path.split(sep).join("/");

function sourcesOf(place: string): string[] {
  const at = join(root, place);
  if (!existsSync(at)) return [];
  if (place.endsWith(".ts")) return [place];
  const names = readdirSync(at, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => posix(join(place, name)));
}

function filesOf(room: string): string[] {
  const isElsewhere = (file: string) => rooms.some(({ place }) => place === file && place !== room);
  return sourcesOf(room).filter((file) => !isElsewhere(file));
}

function importsOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1] ?? "");
  return names.map((name) =>
    name.startsWith(".") ? posix(relative(root, resolve(root, dirname(file), name))).replace(/\.[jt]s$/, "") : name,
  );
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
const allows = (rule: string, to: string) => {
  const door = rule.replace(/\.ts$/, "");
  return to === door || to.startsWith(door.endsWith(":") ? door : `${door}/`);
};

describe.each(rooms)("$place", ({ place, imports, banned }) => {
  const files = filesOf(place);
  it("imports only its neighbours, names no ambient power, keeps its files short", () => {
    const faults: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(root, file), "utf8");
      for (const to of importsOf(file, text))
        if (!imports.some((rule) => allows(rule, to))) faults.push(`${file} imports ${to}`);
      const named = banned && withoutComments(text).match(banned);
      if (named) faults.push(`${file} names ${named[0]}`);
      const lines = text.split("\n").length;
      if (lines > MAX_LINES) faults.push(`${file} has ${lines} lines`);
      if (!/^(\/\/|\/\*|#!)/.test(text)) faults.push(`${file} does not say first what it owns`);
    }
    expect(faults).toEqual([]);
  });
});

describe("the whole tree", () => {
  const files = ["src", "durable-objects", "test"].flatMap(sourcesOf);

  it("has every source file in exactly one room, so that no file escapes the table", () => {
    const placed = rooms.flatMap(({ place }) => filesOf(place));
    expect(files.filter((file) => !file.startsWith("test/")).sort()).toEqual([...placed].sort());
  });

  it("has no drawer named utils, helpers, common, manager or service, and one barrel at most", () => {
    expect(files.filter((file) => VAGUE_NAMES.test(basename(file)))).toEqual([]);
    const barrels = files.filter((file) => basename(file) === "index.ts" && file !== "src/index.ts");
    expect(barrels.filter((file) => file !== "src/tools/index.ts")).toEqual([]);
  });

  it("keeps test files short, without module mocks, skipped or focused tests, or silenced types", () => {
    const faults = files.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const long = file.startsWith("test/") && text.split("\n").length > MAX_TEST_LINES ? [`${file} is too long`] : [];
      const tricks = file.endsWith("architecture.test.ts")
        ? null
        : text.match(/vi\.mock\(|\.(only|skip)\(|@ts-(ignore|nocheck)|\bas any\b/);
      return tricks ? [...long, `${file} has ${tricks[0]}`] : long;
    });
    expect(faults).toEqual([]);
  });
});
