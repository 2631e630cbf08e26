// The tools of one object, checked once, in a stable order: the same tools give the same bytes in every prompt, which keeps
// a provider's prompt cache warm.
import { toJSONSchema } from "zod";
import type { Tool } from "./tool.ts";

/** A tool as OpenAI-compatible models are told of it. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Looks tools up by exact name; never reaches a prototype's property. */
export interface ToolRegistry {
  get(name: string): Tool | null;
  /** Sorted by code unit. */
  list(): readonly Tool[];
  schemas(): readonly ToolSchema[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Builds the registry; throws with all problems at once, because a bad tool is a bug of ours. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const problems = tools.flatMap((tool, index) => [
    ...(NAME.test(tool.name) ? [] : [`bad tool name "${tool.name}"`]),
    ...(tool.description.trim() === "" ? [`tool ${tool.name} has no description`] : []),
    ...(tools.findIndex((other) => other.name === tool.name) < index ? [`two tools are called ${tool.name}`] : []),
  ]);
  if (problems.length > 0) throw new Error(problems.join("; "));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  let schemas: ToolSchema[] | null = null;
  return {
    get: (name) => byName.get(name) ?? null,
    list: () => sorted,
    schemas: () => {
      schemas ??= sorted.map(schemaOf);
      return schemas;
    },
  };
}

function schemaOf(tool: Tool): ToolSchema {
  const { $schema: _dialect, ...parameters } = toJSONSchema(tool.input, { io: "input" });
  return { name: tool.name, description: tool.description, parameters };
}
