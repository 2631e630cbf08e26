// The tools of a turn, by their cards, in a stable order: the same tools give the same bytes in every prompt, so that a provider's prompt
// cache keeps them. A tool itself, with the check of its arguments, is loaded only when it is called.
import type { InputSchema } from "./input-schema.ts";
import type { Tool, ToolCard } from "./tool.ts";

/** A tool in the form that OpenAI-compatible models get. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A tool that can be called. */
export interface OpenTool {
  tool: Tool;
  input: InputSchema;
}

/** What a turn knows about a tool, and how to load it. */
export interface ToolEntry {
  card: ToolCard;
  schema: ToolSchema;
  /** Returns the same tool each time. */
  open: () => OpenTool | Promise<OpenTool>;
}

/** Finds tools by exact name, and never a property of a prototype. All lists have the same order, and stay the same arrays until a tool is added. */
export interface ToolRegistry {
  get(name: string): ToolCard | null;
  /** Sorted by code unit. */
  list(): readonly ToolCard[];
  names(): readonly string[];
  schemas(): readonly ToolSchema[];
  /** Loads the tool itself; null if there is none. */
  open(name: string): Promise<OpenTool | null>;
  entries(): readonly ToolEntry[];
}

/** Builds the registry of tools, whose names must all differ. */
export function buildRegistry(entries: readonly ToolEntry[]): ToolRegistry {
  const sorted = entries.toSorted((a, b) => (a.card.name < b.card.name ? -1 : 1));
  const byName = new Map(sorted.map((entry) => [entry.card.name, entry]));
  const cards = sorted.map(({ card }) => card);
  const names = cards.map(({ name }) => name);
  const schemas = sorted.map(({ schema }) => schema);
  return {
    get: (name) => byName.get(name)?.card ?? null,
    list: () => cards,
    names: () => names,
    schemas: () => schemas,
    open: async (name) => byName.get(name)?.open() ?? null,
    entries: () => sorted,
  };
}
