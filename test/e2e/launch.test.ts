// How the playground starts when it can't: it reports a configuration that can't be used.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launchPlayground } from "../../src/playground/launch.ts";
import { freePort } from "../../src/playground/port.ts";

it("a configuration that the bot can't use is reported at once, with its reason", async () => {
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
