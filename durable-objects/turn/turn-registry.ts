// The tools of one turn: the product's own and those of remote servers at its beginning. The same tools give the same registry, so its
// schemas are made once and a prompt keeps its bytes.
import type { RemoteTools } from "../../src/mcp/remote-tools.ts";
import { createToolRegistry, type RegistryLog, type ToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";

/** The registry of a turn that begins now; `signal` ends the wait for servers. */
export type TurnRegistry = (signal: AbortSignal) => Promise<ToolRegistry>;

/** Over the product's own tools in `own`. */
export function createTurnRegistry(own: ToolRegistry, remote: RemoteTools, log: RegistryLog): TurnRegistry {
  let last: { tools: readonly Tool[]; registry: ToolRegistry } = { tools: [], registry: own };
  return async (signal) => {
    const tools = await remote(signal);
    const isSame = tools.length === last.tools.length && tools.every((tool, index) => tool === last.tools[index]);
    if (!isSame) last = { tools, registry: createToolRegistry([...own.list(), ...tools], log) };
    return last.registry;
  };
}
