// Harness of the e2e lane: the product in the form in which it is deployed, without wrangler. Its modules are built once for the lane
// (built-modules.ts) and run in plain miniflare, the runtime that `wrangler dev` has, too: a start takes a fifth of the time.
import { spawn } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { inject } from "vitest";
import { freePort } from "../../src/playground/port.ts";
import { MAIN_MODULE } from "../../src/setup/modules.ts";
import type { Built } from "./built-modules.ts";
import { liveIn, type Product } from "./product.ts";
import type { RuntimePlan } from "./runtime-plan.ts";

/** Starts this Worker with a `.dev.vars` of this text. Resolves when it listens, without having sent it a request. */
export async function startDeployed(built: Built, devVars: string): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "parley-product-"));
  const file = join(folder, "plan.json");
  const port = await freePort(0);
  const plan: RuntimePlan = {
    folder: inject("modules")[built],
    main: MAIN_MODULE,
    // As wrangler.toml has them.
    objects: { CHANNEL: "ChannelObject", SCOPE: "ScopeObject", GATEWAY: "GatewayObject" },
    flags: ["global_fetch_strictly_public"],
    refusals: 10,
    bindings: parseEnv(devVars) as Record<string, string>,
    state: join(folder, "state"),
    port,
    isInspected: false,
  };
  await writeFile(file, JSON.stringify(plan), { mode: 0o600 });
  return liveIn(folder, port, () =>
    spawn(process.execPath, [join(import.meta.dirname, "runtime-process.ts"), file], {
      // A process group of its own, so that a signal reaches workerd too.
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    }),
  );
}

/** Starts the cron trigger of a product that was started here. Resolves to what the runtime says of its outcome. */
export const wake = async ({ url }: Product): Promise<string> => (await fetch(`${url}/cdn-cgi/local/scheduled`)).text();
