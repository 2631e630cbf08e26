// A `.dev.vars` as people and their editors leave it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isUtf16, readVariables } from "../../src/scripts/dev-vars.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dev-vars-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["begins with the mark of its encoding", "\ufeffDISCORD_BOT_TOKEN=a.b.c\nB=2\n"],
  ["has the line ends of Windows", "DISCORD_BOT_TOKEN=a.b.c\r\nB=2\r\n"],
  ["was written for a shell", "export DISCORD_BOT_TOKEN='a.b.c' # the bot's\nexport B = \"2\""],
  ["sets a variable twice", "B=1\nDISCORD_BOT_TOKEN=a.b.c\nB=2"],
  ["was made by PowerShell, in UTF-16", Buffer.from("\ufeffDISCORD_BOT_TOKEN=a.b.c\r\nB=2\r\n", "utf16le")],
])("is read completely if it %s", (_, content) => {
  const path = join(folder, ".dev.vars");
  writeFileSync(path, content);
  expect(readVariables(path)).toEqual({ DISCORD_BOT_TOKEN: "a.b.c", B: "2" });
});

it.each([
  ["UTF-16", Buffer.from("\ufeffB=2\r\n", "utf16le"), true],
  ["UTF-8 with its mark", "\ufeffB=2\n", false],
  ["nothing", "", false],
])("with %s in it says whether wrangler can read it", (_, content, expected) => {
  const path = join(folder, ".dev.vars");
  writeFileSync(path, content);
  expect(isUtf16(path)).toBe(expected);
});

it("has no variables if it is missing", () => {
  expect(readVariables(join(folder, ".dev.vars"))).toEqual({});
  expect(isUtf16(join(folder, ".dev.vars"))).toBe(false);
});
