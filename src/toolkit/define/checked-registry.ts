// The tools of one object, checked once and in a stable order: the same tools give the same bytes in every prompt, which keeps a
// provider's prompt cache warm.
import type { InputSchema } from "./input-schema.ts";
import { checkRegistration, type Registration } from "./registration.ts";
import { rulesText } from "./rules.ts";
import type { Tool, ToolCategory } from "./tool.ts";

/** A tool in the form that OpenAI-compatible models get. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Finds tools by exact name; never reaches a prototype's property. */
export interface ToolRegistry {
  get(name: string): Tool | null;
  /** Sorted by code unit. */
  list(): readonly Tool[];
  byCategory(category: ToolCategory): readonly Tool[];
  /** In the order of `list`. The same array until a tool is added. */
  schemas(): readonly ToolSchema[];
  /** The compiled schema of a registered tool, or null. */
  inputFor(name: string): InputSchema | null;
  /** Adds a tool. Throws with every problem at once; a second tool of the same name is a problem. */
  register(tool: Tool): ToolRegistry;
  /** Adds all of them or none. Throws as `register` does. */
  registerMany(tools: readonly Tool[]): ToolRegistry;
}

/** Gets a line for each tool that the registry leaves out. */
export type RegistryLog = (line: string, detail: Record<string, unknown>) => void;

/**
 * Builds the registry. Throws with every problem at once, because a bad tool is our own bug. A tool whose JSON Schema does not
 * compile is left out with a line in the log: a remote server's mistake must not disable the other tools.
 */
export function createToolRegistry(tools: readonly Tool[] = [], log: RegistryLog = () => {}): ToolRegistry {
  const byName = new Map<string, Registration>();
  let sorted: readonly Tool[] = [];
  let schemas: readonly ToolSchema[] | null = null;

  const add = (added: readonly Tool[]) => {
    const registrations = added.map(checkRegistration);
    const problems = registrations.flatMap(({ tool, problems: own }, index) => {
      const isSecond = byName.has(tool.name) || added.findIndex(({ name }) => name === tool.name) < index;
      return [...own, ...(isSecond ? [`two tools are called ${tool.name}`] : [])];
    });
    if (problems.length > 0) throw new Error(problems.join("; "));
    for (const registration of registrations) {
      const { tool, disabled } = registration;
      if (disabled === null) byName.set(tool.name, registration);
      else log("a tool was left out: its schema does not compile", { tool: tool.name, reason: disabled });
    }
    sorted = [...byName.values()].map(({ tool }) => tool).sort((a, b) => (a.name < b.name ? -1 : 1));
    schemas = null;
  };

  const registry: ToolRegistry = {
    get: (name) => byName.get(name)?.tool ?? null,
    list: () => sorted,
    byCategory: (category) => sorted.filter((tool) => tool.category === category),
    schemas: () => {
      schemas ??= sorted.map((tool) => buildToolSchema(tool, byName.get(tool.name)?.input ?? null));
      return schemas;
    },
    inputFor: (name) => byName.get(name)?.input ?? null,
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

function buildToolSchema({ name, description, rules = [] }: Tool, input: InputSchema | null): ToolSchema {
  const fullDescription = rules.length === 0 ? description : `${description} ${rulesText(rules)}`;
  return { name, description: fullDescription, parameters: { ...input?.parameters } };
}
