// What a run that was killed leaves in the folder for temporary files, and what the next one makes of it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeLeftovers } from "../../src/setup/private-folder.ts";

/** A number that no process has. */
const GONE = 2 ** 30;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leftovers-test-"));
  for (const name of [`parley-setup-${GONE}-a`, `parley-setup-${GONE}-b`]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("removes what is of dead runs, and leaves what is another person's, who alone may remove it", () => {
  removeLeftovers(folder, (path) => {
    if (path.endsWith("-a")) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    rmSync(path, { recursive: true });
  });
  expect(readdirSync(folder)).toEqual([`parley-setup-${GONE}-a`]);
  removeLeftovers(folder);
  expect(readdirSync(folder)).toEqual([]);
});
