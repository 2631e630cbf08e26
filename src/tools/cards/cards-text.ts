// Builds the text of cards.json, from which a turn reads about the shipped tools.
import { createToolRegistry } from "../../toolkit/define/registry.ts";
import { tools } from "../index.ts";
import { triggersOf } from "./triggers.ts";

/**
 * Returns the text of cards.json: one line per tool, without functions and without the triggers that are in the table. Throws if a tool can't be
 * registered.
 */
export function cardsText(): string {
  const lines = createToolRegistry(tools)
    .entries()
    .map(({ card, schema }) => {
      const { name, category, hints, requires, restarts, endsTurnAfterText, untrusted, server, givesAddresses } = card;
      const triggers = triggersOf(name).triggers ? undefined : card.triggers;
      const kept = { name, category, hints, triggers, requires, restarts, endsTurnAfterText, untrusted, server };
      return JSON.stringify({ card: { ...kept, givesAddresses }, schema });
    });
  return `[\n${lines.join(",\n")}\n]\n`;
}
