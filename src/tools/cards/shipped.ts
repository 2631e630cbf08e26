// The tools that ship, as a turn gets them. The facts about each are in `cards.json`, which `npm run cards` writes, and in the table of
// triggers. The tools themselves are one module, which is loaded when the first of them is called.
import { buildRegistry, type ToolEntry, type ToolRegistry } from "../../toolkit/define/tool-cards.ts";
import cards from "./cards.json";
import { triggersOf } from "./triggers.ts";

const entries = cards as unknown as readonly Omit<ToolEntry, "open">[];

/** All tools of the product. The objects of one isolate share this registry. */
export const shipped: ToolRegistry = buildRegistry(
  entries.map(({ card: written, schema }) => {
    const card = { ...written, ...triggersOf(written.name) };
    return { card, schema, open: async () => (await import("./opened.ts")).openTool(card, schema) };
  }),
);
