// A clone in which `npm ci` has not been run yet: the commands for people say so.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { scripts } from "../../package.json" with { type: "json" };

const FILE = "src/scripts/installed.js";

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "installed-test-"));
  cpSync(resolve(import.meta.dirname, "../..", FILE), join(clone, FILE));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const run = (...flags: string[]) => {
  const args = [...flags, "--import", `./${FILE}`, "-e", "console.log('it runs')"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: "utf8" });
  return { status, out: stdout, err: stderr };
};

const SENTENCE = "The packages are not installed here, or not all of them. Run `npm ci`, and then this again.\n";

it("says what to run, and tries nothing", () => {
  expect(run()).toEqual({ status: 1, out: "", err: SENTENCE });
});

it("has everything it needs after that", () => {
  mkdirSync(join(clone, "node_modules/zod"), { recursive: true });
  expect(run()).toEqual({ status: 0, out: "it runs\n", err: "" });
});

it("still has no Node that reads TypeScript if that package was not set up", () => {
  mkdirSync(join(clone, "node_modules/zod"), { recursive: true });
  expect(run("--no-strip-types")).toEqual({ status: 1, out: "", err: SENTENCE });
});

it("is checked by every command for people", () => {
  const { start, chat, setup, doctor, trace, register, deploy } = scripts;
  for (const command of [start, chat, setup, doctor, trace, register, deploy])
    expect(command).toMatch(/^node --import \.\/src\/scripts\/installed\.js src\/[\w/]+\.ts$/);
});
