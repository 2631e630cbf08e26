// Harness of the e2e lane: the product as it is deployed, without wrangler. Its modules are built once for the lane (built-modules.ts) and run
// in plain miniflare, the runtime that `wrangler dev` uses too, so it starts in a small part of the time.
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { inject } from "vitest";
import { MAIN_MODULE } from "../../src/setup/modules.ts";
import type { Built } from "./built-modules.ts";
import type { Order } from "./lives.ts";
import type { Product } from "./product.ts";
import { COMPATIBILITY_FLAGS } from "./production.ts";
import type { RuntimePlan } from "./runtime-plan.ts";

/** Starts this Worker with this text as its `.dev.vars`. Resolves when it listens, without having sent it a request. */
export async function startDeployed(built: Built, devVars: string): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "parley-product-"));
  const log = join(folder, "log.txt");
  const port = Number(await order("port"));
  const plan: RuntimePlan = {
    folder: inject("modules")[built],
    main: MAIN_MODULE,
    // As wrangler.toml has them.
    objects: { CHANNEL: "ChannelObject", SCOPE: "ScopeObject", GATEWAY: "GatewayObject" },
    flags: COMPATIBILITY_FLAGS,
    refusals: 10,
    bindings: parseEnv(devVars) as Record<string, string>,
    state: join(folder, "state"),
    port,
    isInspected: false,
  };
  const logs = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  let readyAt = 0;
  const begin = async () => {
    await order({ plan, log }).catch((error) => {
      throw new Error(`The product did not start.\n${logs()}`, { cause: error });
    });
    readyAt = Date.now();
  };
  const killNine = async () => void (await order({ kill: port }));
  await begin();
  return {
    url: `http://127.0.0.1:${port}`,
    readyAt: () => readyAt,
    killNine,
    restart: begin,
    async stop() {
      await killNine();
      await rm(folder, { recursive: true, force: true });
    },
    logs,
  };
}

/** Sends the process an order. Resolves to its answer. */
async function order(what: Order): Promise<string> {
  const answer = await fetch(inject("lives"), { method: "POST", body: JSON.stringify(what) });
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return said;
}

/** Runs the cron trigger of a product that was started here. Resolves to the outcome that the runtime reports. */
export const wake = async ({ url }: Product): Promise<string> => (await fetch(`${url}/cdn-cgi/local/scheduled`)).text();
