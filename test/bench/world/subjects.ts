// The Workers that are measured, built and running: the product as it is deployed, with two more tools, and the hand-written floor.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModules } from "../../../src/setup/modules.ts";
import { exampleVars } from "../../support/e2e-harness.ts";
import { ROOT } from "../../support/product.ts";
import { COMPATIBILITY_FLAGS } from "../../support/production.ts";
import { type FastDiscord, type Model, type Runtime, startDiscord, startModel, startRuntime } from "./processes.ts";

/** The model and the Discord that a Worker talks to. */
export interface Surroundings {
  model: Model;
  discord: FastDiscord;
  close(): void;
}

/** Starts a model and a Discord. */
export async function startSurroundings(): Promise<Surroundings> {
  const [model, discord] = await Promise.all([startModel(), startDiscord()]);
  return {
    model,
    discord,
    close() {
      model.close();
      discord.close();
    },
  };
}

/** Workers that were built, by the name of their main file. Removed by `forgetBuilt`. */
const built = new Map<string, string>();

/** The folder of the modules of a Worker with this main file, relative to the repository's root. */
export async function builtFrom(main: string): Promise<string> {
  const known = built.get(main);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), "parley-built-"));
  await buildModules(ROOT, join(folder, "modules"), main);
  built.set(main, join(folder, "modules"));
  return join(folder, "modules");
}

/** Removes what was built. */
export function forgetBuilt(): void {
  for (const folder of built.values()) rmSync(join(folder, ".."), { recursive: true, force: true });
  built.clear();
}

/** The variables of `.dev.vars.example`, with the addresses of these surroundings. */
function variables({ model, discord }: Surroundings): Record<string, string> {
  const lines = exampleVars(discord.url).matchAll(/^([A-Z_]+)=(.*)$/gm);
  return {
    ...Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value])),
    DISCORD_BOT_TOKEN: "",
    OPENAI_BASE_URL: `${model.url}/v1`,
    BOT_MAX_FUNCTION_CALL_ITERATIONS: "1000",
  };
}

/** Starts the product. `state`: the folder of its storage, which outlives a death. */
export async function startParley(around: Surroundings, state: string | null = null): Promise<Runtime> {
  return startRuntime({
    folder: await builtFrom("test/bench/workers/product-worker.ts"),
    objects: { CHANNEL: "ChannelObject", SCOPE: "ScopeObject", GATEWAY: "GatewayObject" },
    bindings: variables(around),
    flags: COMPATIBILITY_FLAGS,
    state,
  });
}

/** Starts the floor. */
export async function startFloor(around: Surroundings): Promise<Runtime> {
  const folder = await builtFrom("test/bench/workers/floor-worker.ts");
  return startRuntime({
    folder,
    objects: { TURNS: "TurnObject" },
    bindings: variables(around),
    flags: COMPATIBILITY_FLAGS,
  });
}
