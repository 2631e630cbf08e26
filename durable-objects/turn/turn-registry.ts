// The tools of one turn: the built-in ones, and those that remote servers offer when it begins. The same tools give the
// same registry, so schemas are built once and prompts stay byte-identical.
import { MAX_OFFERED_TOOLS } from "../../src/core/limits.ts";
import type { RegistryLog } from "../../src/toolkit/define/foreign-tools.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { buildRegistry, type ToolRegistry } from "../../src/toolkit/define/tool-cards.ts";
import type { PlacedTools } from "./placed-tools.ts";

/** Builds the registry of a turn that begins now. `signal` ends the wait for servers; `guildId` null means the deployment. */
export type TurnRegistry = (signal: AbortSignal, guildId: string | null) => Promise<ToolRegistry>;

/** Creates the function that builds a turn's registry from the built-in tools (`own`) and the remote ones of its place. */
export function createTurnRegistry(own: ToolRegistry, remoteOf: PlacedTools, log: RegistryLog): TurnRegistry {
  const registries = new Map<string | null, { tools: readonly Tool[]; registry: ToolRegistry }>();
  return async (signal, guildId) => {
    const last = registries.get(guildId) ?? { tools: [], registry: own };
    const tools = await remoteOf(guildId)(signal);
    const isSame = tools.length === last.tools.length && tools.every((tool, index) => tool === last.tools[index]);
    const next = isSame ? last : { tools, registry: await withRemote(own, tools, log) };
    registries.set(guildId, next);
    return next.registry;
  };
}

async function withRemote(own: ToolRegistry, tools: readonly Tool[], log: RegistryLog): Promise<ToolRegistry> {
  const { foreignTools } = await import("../../src/toolkit/define/foreign-tools.ts");
  const foreign = foreignTools(tools, log);
  const room = MAX_OFFERED_TOOLS - own.list().length;
  if (foreign.length > room)
    log("there are more remote tools than models take, and the last ones were left out", {
      tools: foreign.length - room,
    });
  return buildRegistry([...own.entries(), ...foreign.slice(0, room)]);
}
