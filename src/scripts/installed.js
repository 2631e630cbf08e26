// Read before a command for people: what is said where `npm ci` was not run. Without the packages there may be no Node that reads TypeScript,
// so this is JavaScript and imports none of them.
import { existsSync } from "node:fs";
import process from "node:process";

const hasPackages = existsSync(new URL("../../node_modules/zod", import.meta.url));
if (!hasPackages || !process.features.typescript) {
  console.error("The packages are not installed here, or not all of them. Run `npm ci`, and then this again.");
  process.exit(1);
}
