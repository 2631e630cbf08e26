// `npm run cards`: writes what a turn reads of the shipped tools, after one was added or changed. A test says when it is due.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFlags } from "../../scripts/arguments.ts";
import { createToolRegistry } from "../../toolkit/define/registry.ts";
import { tools } from "../index.ts";
import { triggersOf } from "./triggers.ts";

/** The file's text: a tool a line, without functions and without the triggers of the table. Throws where a tool can't be registered. */
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

const USAGE = `Usage: npm run cards

Writes src/tools/cards/cards.json, which has what a turn reads of the shipped tools. Run it after a change of one.

  -h, --help  print this`;

if (import.meta.main) {
  readFlags(USAGE, {});
  writeFileSync(join(import.meta.dirname, "cards.json"), cardsText());
  console.log(`src/tools/cards/cards.json has the cards of ${tools.length} tools.`);
}
