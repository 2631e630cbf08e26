// A folder that one playground at a time uses.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claimFolder } from "../../src/playground/claim.ts";

const withFolder = async (use: (folder: string) => void | Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

it("belongs to the first who claims it, until they release it", () =>
  withFolder((folder) => {
    const release = claimFolder(folder);
    expect([typeof release, claimFolder(folder)]).toEqual(["function", null]);
    release?.();
    release?.();
    const next = claimFolder(folder);
    expect(next).not.toBeNull();
    next?.();
  }));

it("is free again when the process that had it was killed without notice", () =>
  withFolder(async (folder) => {
    const source = `const { claimFolder } = await import(process.argv[1]);
      globalThis.release = claimFolder(process.argv[2]);
      console.log("claimed");
      setInterval(() => {}, 1000);`;
    const claim = join(import.meta.dirname, "../../src/playground/claim.ts");
    const other = spawn(process.execPath, ["--input-type=module", "-e", source, claim, folder]);
    await once(other.stdout, "data");
    expect(claimFolder(folder)).toBeNull();
    other.kill("SIGKILL");
    await once(other, "exit");
    const release = claimFolder(folder);
    expect(release).not.toBeNull();
    release?.();
  }));

it("that can't be written in is named", () => {
  const folder = join(tmpdir(), "parley-is-not-there");
  expect(() => claimFolder(folder)).toThrow(`Can't write in ${folder} (unable to open database file).`);
});
