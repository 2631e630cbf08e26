// A folder that only one playground uses at a time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claimFolder } from "../../src/playground/claim.ts";

const cantWrite = (folder: string, why: string) =>
  `Can't write in ${folder} (${why}). Make it yours, make room if the disk is full, or use a new clone.`;

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

it("is free again if the process that had it was killed without notice", () =>
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

it("is created, with its parents", () =>
  withFolder((folder) => {
    claimFolder(join(folder, "playground", "9000"))?.();
    expect(existsSync(join(folder, "playground", "9000"))).toBe(true);
  }));

it("is named, with what to do, if it can't be created or written in", () =>
  withFolder((folder) => {
    const inFile = join(folder, "a file", "9000");
    writeFileSync(join(folder, "a file"), "");
    const full = join(folder, "full");
    mkdirSync(full);
    symlinkSync(join(folder, "nowhere/claim"), join(full, "claim"));
    expect(() => claimFolder(inFile)).toThrow(cantWrite(inFile, "ENOTDIR"));
    expect(() => claimFolder(full)).toThrow(cantWrite(full, "unable to open database file"));
    // Node also says this about a read-only folder.
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    const inLink = join(folder, "link", "9000");
    expect(() => claimFolder(inLink)).toThrow(cantWrite(inLink, "it can't be made"));
  }));
