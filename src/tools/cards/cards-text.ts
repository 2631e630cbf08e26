// What cards.json has of the shipped tools.
import { createToolRegistry } from "../../toolkit/define/registry.ts";
import { tools } from "../index.ts";
import { triggersOf } from "./triggers.ts";

/** The text of cards.json: a tool a line, without functions and without the triggers of the table. Throws where a tool can't be registered. */
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
