// What a lane leaves behind if its processes are killed, as `timeout` does: no runtime, and no files in memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { exampleVars } from "../support/e2e-harness.ts";
import { PRODUCTION, ROOT } from "../support/product.ts";

const SUPPORT = join(ROOT, "test/support");

/** Runs this source until it has printed a line, and kills it. Resolves to the line. */
async function killedAfter(source: string): Promise<string> {
  const lane = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void lane.kill("SIGKILL"));
  const line = String((await once(lane.stdout, "data"))[0]).trim();
  const ended = once(lane, "exit");
  lane.kill("SIGKILL");
  await ended;
  return line;
}

it("ends the product that it started", async () => {
  const start = { config: PRODUCTION, devVars: exampleVars("http://127.0.0.1:1") };
  const url = await killedAfter(`const { startProduct } = await import("${SUPPORT}/product.ts");
    console.log((await startProduct(${JSON.stringify(start)})).url);`);
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => "gone",
      ),
    )
    .toBe("gone");
});

it("has its files removed, including those that it keeps in memory if there is room", async () => {
  const own = mkdtempSync(join(tmpdir(), "parley-killed-"));
  const kept = await killedAfter(`const { afterUs } = await import("${ROOT}/src/playground/process-group.ts");
    const { default: inMemory } = await import("${SUPPORT}/in-memory.ts");
    afterUs('rm -rf -- "$0"', ${JSON.stringify(own)});
    delete process.env.TMPDIR;
    await inMemory();
    console.log(process.env.TMPDIR ?? ${JSON.stringify(own)});
    setInterval(() => {}, 1000);`);
  await expect.poll(() => [own, kept].filter((folder) => existsSync(folder))).toEqual([]);
});
