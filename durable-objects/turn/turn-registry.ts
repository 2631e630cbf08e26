// The tools of one turn: the built-in ones, and those that remote servers have when it begins. The same tools give the
// same registry, so schemas are built once and prompts stay byte-identical.
import type { RemoteTools } from "../../src/mcp/remote-tools.ts";
import { createToolRegistry, type RegistryLog, type ToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";

/** Builds the registry of a turn that begins now. `signal` ends the wait for servers. */
export type TurnRegistry = (signal: AbortSignal) => Promise<ToolRegistry>;

/** Makes the function that builds a turn's registry from the built-in tools (`own`) and the remote ones. */
export function createTurnRegistry(own: ToolRegistry, remote: RemoteTools, log: RegistryLog): TurnRegistry {
  let last: { tools: readonly Tool[]; registry: ToolRegistry } = { tools: [], registry: own };
  return async (signal) => {
    const tools = await remote(signal);
    const isSame = tools.length === last.tools.length && tools.every((tool, index) => tool === last.tools[index]);
    if (!isSame) last = { tools, registry: createToolRegistry([...own.list(), ...tools], log) };
    return last.registry;
  };
}
