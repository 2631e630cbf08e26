// What a run that was ended leaves in the folder for temporary files, and what the next one does about it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeLeftovers } from "../../src/setup/private-folder.ts";

/** A process id that no process has. */
const GONE = 2 ** 30;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leftovers-test-"));
  for (const name of [`parley-setup-${GONE}-a`, `parley-setup-${GONE}-b`]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("removes what dead runs left, except what belongs to another person, who alone may remove it", () => {
  removeLeftovers(folder, (path) => {
    if (path.endsWith("-a")) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    rmSync(path, { recursive: true });
  });
  expect(readdirSync(folder)).toEqual([`parley-setup-${GONE}-a`]);
  removeLeftovers(folder);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ["the disk is full", "ENOSPC", "full"],
  ["this person's quota is used up", "EDQUOT", "full"],
  ["it is another person's", "EACCES", "closed"],
])("says why no folder can be created here if %s", (_, code, fault) => {
  const make = () => {
    throw Object.assign(new Error(code), { code });
  };
  expect(removeLeftovers(folder, undefined, make)).toBe(fault);
  expect(removeLeftovers(folder)).toBe(null);
});

it("leaves nothing if the screen is gone and the code that would end the run fails", () => {
  const source = `const { withPrivateFolder } = await import(process.argv[1]);
    const { writeFileSync } = await import("node:fs");
    for (const end of ["exit", "uncaughtExceptionMonitor"])
      process.on(end, () => {
        throw new Error("write EIO");
      });
    await withPrivateFolder(process.argv[2], async (folder) => {
      writeFileSync(folder + "/secrets.json", "{}");
      await new Promise(() => setTimeout(() => { throw new Error("read EIO"); }));
    });`;
  const path = join(import.meta.dirname, "../../src/setup/private-folder.ts");
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", source, path, folder]);
  // Node's exit code for an exception in the handler of another.
  expect([status, readdirSync(folder).filter((name) => !name.includes(`${GONE}`))]).toEqual([7, []]);
});
