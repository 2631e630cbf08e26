// The tools that ship, as a turn gets them: what is said about each is in `cards.json`, which `npm run cards` writes, and in the table
// of triggers. The tools themselves are one module, which is read when the first of them is called.
import { buildRegistry, type ToolEntry, type ToolRegistry } from "../../toolkit/define/tool-cards.ts";
import cards from "./cards.json";
import { triggersOf } from "./triggers.ts";

const entries = cards as unknown as readonly Omit<ToolEntry, "open">[];

/** Every tool of the product. The objects of one isolate share it. */
export const shipped: ToolRegistry = buildRegistry(
  entries.map(({ card: told, schema }) => {
    const card = { ...told, ...triggersOf(told.name) };
    return { card, schema, open: async () => (await import("./opened.ts")).openTool(card, schema) };
  }),
);
