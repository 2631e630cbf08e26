// The project's pages in Markdown, and what tests read from them: sections, tables, code, links.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Every page, by its path from the root. */
export const PAGES = [
  "README.md",
  ".github/CONTRIBUTING.md",
  ".github/PRIVACY.md",
  "durable-objects/README.md",
  "durable-objects/gateway/README.md",
  "durable-objects/hearing/README.md",
  "durable-objects/inspect/README.md",
  "durable-objects/scope/README.md",
  "durable-objects/turn/README.md",
  "src/config/README.md",
  "src/discord/commands/README.md",
  "src/inspector/README.md",
  "src/laptop/README.md",
  "src/mcp/README.md",
  "src/playground/README.md",
  "src/setup/README.md",
  "src/tools/README.md",
  "test/README.md",
] as const;

/** The path of one of them. */
export type PagePath = (typeof PAGES)[number];

/** A file's text, by its path from the root. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Whether there is a file or folder at this path from the root. */
export const isThere = (path: string): boolean => existsSync(join(ROOT, path));

/** Where a relative path of a page leads, from the root. */
export const pathFrom = (page: string, target: string): string => join(dirname(page), target);

const FENCE = /^ *```([a-z]*)[^\n]*\n([\s\S]*?)^ *```$/gm;

/** The text of a page without its blocks of code. */
export const readProse = (page: string): string => readText(page).replace(FENCE, "");

/** The blocks of code in a language. */
export const codeBlocks = (text: string, language: string): string[] =>
  [...text.matchAll(FENCE)].flatMap(([, name, code = ""]) => (name === language ? [code] : []));

/** Short code in a text, without its backticks. */
export const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/** Links and pictures: the text and the target of each. */
export const linksIn = (text: string): { name: string; target: string }[] =>
  [...text.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, name = "", target = ""]) => ({ name, target }));

/** The anchors of a page's headings, as GitHub makes them. */
export const anchorsOf = (page: string): string[] =>
  [...readProse(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-"),
  );

/** What follows a heading, up to the next heading of the same level or above; includes blocks of code. */
export function sectionOf(page: PagePath, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const lines = readText(page).split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`${page} has no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return (end < 0 ? rest : rest.slice(0, end)).join("\n");
}

/** The rows of a text's first table as lists of cells, without its header. */
export function tableIn(text: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^\|[ |:-]+\|$/.test(line));
  if (start < 0) throw new Error("no table here");
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return (end < 0 ? rest : rest.slice(0, end)).map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
}
