// How the playground starts: its Worker's cron trigger runs at once, and a configuration that can't be used is told.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launchPlayground } from "../../src/playground/launch.ts";
import { freePort } from "../../src/playground/port.ts";

it("the product's cron trigger runs from the start, so that it need not wait five minutes to listen", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-"));
  const config = join(folder, "wrangler.toml");
  await writeFile(config, 'name = "parley"\nmain = "root.ts"\ncompatibility_date = "2026-10-01"\n');
  const source = `const ran: string[] = [];
    export default {
      fetch: () => Response.json({ ran }),
      scheduled: (event: { cron: string }) => void ran.push(event.cron),
    };\n`;
  await writeFile(join(folder, "root.ts"), source);
  const playground = await launchPlayground({ port: 0, quiet: true, productConfig: config });
  const ran = async () => (await fetch(`${playground.url}/health`)).json();
  await expect.poll(ran).toEqual({ ran: ["*/5 * * * *"] });
  await playground.stop();
  await rm(folder, { recursive: true });
});

it("a configuration that the bot can't use is told at once, with its reason", async () => {
  const launched = launchPlayground({ port: 0, quiet: true, vars: { MODELS: "[]" } });
  const reason = await launched.then(
    () => "none",
    (error: Error) => error.message,
  );
  expect(reason).toContain("Parley is not configured: MODELS is not a list of models");
});

it("a start that fails before its Workers run leaves its port to the next one", async () => {
  const productConfig = join(tmpdir(), "parley-is-not-there.toml");
  const port = await freePort(0);
  for (const start of [1, 2])
    await expect(launchPlayground({ port, quiet: true, productConfig }), `start ${start}`).rejects.toThrow("ENOENT");
});
