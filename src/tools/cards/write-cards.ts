// `npm run cards`: writes what a turn reads about the shipped tools. Run it after you add or change a tool; a test fails if you forget.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFlags } from "../../scripts/arguments.ts";

const USAGE = `Usage: npm run cards

Writes src/tools/cards/cards.json, which has what a turn reads of the shipped tools. Run it after a change of one.

  -h, --help  print this`;

readFlags(USAGE, {});

// Imported only here, because printing the usage needs none of it.
const { tools } = await import("../index.ts");
const { cardsText } = await import("./cards-text.ts");
writeFileSync(join(import.meta.dirname, "cards.json"), cardsText());
console.log(`src/tools/cards/cards.json has the cards of ${tools.length} tools.`);
