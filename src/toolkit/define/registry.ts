// Makes registries of tools whose schemas are zod's. The tools that ship are checked by a test, and the program that is deployed reads
// only their cards.
import { checkedRegistry, type RegistryLog, type WholeRegistry } from "./checked-registry.ts";
import { tellSchema } from "./tell-schema.ts";
import type { Tool } from "./tool.ts";

/** Builds the registry. Throws with every problem at once, as `checkedRegistry` does. */
export const createToolRegistry = (tools: readonly Tool[] = [], log: RegistryLog = () => {}): WholeRegistry =>
  checkedRegistry(tools, log, tellSchema);
