// Creates registries of whole tools, each checked once. The tools that ship are checked by a test, and the deployed program reads only
// their cards.
import type { RegistryLog } from "./foreign-tools.ts";
import { checkRegistration, type Registration } from "./registration.ts";
import { rulesText } from "./rules.ts";
import type { Tool, ToolCard, ToolCategory } from "./tool.ts";
import { buildRegistry, type ToolEntry, type ToolRegistry } from "./tool-cards.ts";

/** A registry of whole tools, to which more can be added. */
export interface WholeRegistry extends ToolRegistry {
  byCategory(category: ToolCategory): readonly ToolCard[];
  /** Adds a tool. Throws with every problem at once; a second tool with the same name is a problem. */
  register(tool: Tool): WholeRegistry;
  /** Adds all of the tools or none. Throws as `register` does. */
  registerMany(tools: readonly Tool[]): WholeRegistry;
}

/**
 * Builds the registry. Throws with every problem at once, because a bad tool is our own bug. A tool whose JSON Schema does not compile is left
 * out with a line in the log: such a schema comes from elsewhere, and its mistake must not disable the other tools. (The tools of remote servers
 * reach a turn through foreign-tools.ts.)
 */
export function createToolRegistry(tools: readonly Tool[] = [], log: RegistryLog = () => {}): WholeRegistry {
  const byName = new Map<string, ToolEntry>();

  const add = (added: readonly Tool[]) => {
    const registrations = added.map((tool) => checkRegistration(tool));
    const problems = registrations.flatMap(({ tool, problems: own }, index) => {
      const isSecond = byName.has(tool.name) || added.findIndex(({ name }) => name === tool.name) < index;
      return [...own, ...(isSecond ? [`two tools are called ${tool.name}`] : [])];
    });
    if (problems.length > 0) throw new Error(problems.join("; "));
    for (const { tool, input, disabled } of registrations) {
      if (input) byName.set(tool.name, buildEntry(tool, input));
      else log("a tool was left out: its schema does not compile", { tool: tool.name, reason: disabled });
    }
    Object.assign(registry, buildRegistry([...byName.values()]));
  };

  const registry: WholeRegistry = {
    ...buildRegistry([]),
    byCategory: (category) => registry.list().filter((tool) => tool.category === category),
    register: (tool) => {
      add([tool]);
      return registry;
    },
    registerMany: (more) => {
      add(more);
      return registry;
    },
  };
  return registry.registerMany(tools);
}

function buildEntry(tool: Tool, input: NonNullable<Registration["input"]>): ToolEntry {
  const { name, description, rules = [] } = tool;
  const fullDescription = rules.length === 0 ? description : `${description} ${rulesText(rules)}`;
  const opened = { tool, input };
  return {
    card: tool,
    schema: { name, description: fullDescription, parameters: { ...input.parameters } },
    open: () => opened,
  };
}
