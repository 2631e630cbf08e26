// Imported before each command for people: prints a sentence if `npm ci` was not run. Without the packages, Node may not be able to read
// TypeScript, so this is JavaScript and imports no package.
import { existsSync } from "node:fs";
import process from "node:process";

const hasPackages = existsSync(new URL("../../node_modules/zod", import.meta.url));
if (!hasPackages || !process.features.typescript) {
  console.error("The packages are not installed here, or not all of them. Run `npm ci`, and then this again.");
  process.exit(1);
}
