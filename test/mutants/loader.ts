// How a player loads the program: the rooms' files with their switches, and test files with `runner.ts` instead of vitest.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../support/source-tree.ts";
import { SWITCHES } from "./switchboard.ts";
import { withSwitches } from "./switches.ts";

/** `first` has the number of each file's first site. */
export function loadWithSwitches(first: ReadonlyMap<string, number>): void {
  // The part of vitest's own worker that `vi` needs.
  Object.assign(globalThis, { __m: SWITCHES, __vitest_worker__: { config: {}, metaEnv: process.env } });
  const root = pathToFileURL(`${ROOT}/`).href;
  const runner = pathToFileURL(`${import.meta.dirname}/runner.ts`).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "vitest" && context.parentURL !== runner) return { url: runner, shortCircuit: true };
      return next(specifier, context);
    },
    load(url, context, next) {
      if (url.endsWith(".json"))
        return { format: "module", source: moduleOf(readFileSync(new URL(url), "utf8")), shortCircuit: true };
      const file = url.startsWith(root) ? relative(ROOT, decodeURIComponent(new URL(url).pathname)) : "";
      const number = first.get(file);
      if (number === undefined) return next(url, context);
      const source = stripTypeScriptTypes(withSwitches(file, readFileSync(new URL(url), "utf8"), number));
      return { format: "module", source, shortCircuit: true };
    },
  });
}

/** A JSON file as vite provides it: the whole value, and each of its keys. */
function moduleOf(text: string): string {
  const value: unknown = JSON.parse(text);
  const keys =
    typeof value === "object" && value !== null ? Object.keys(value).filter((key) => /^[a-z]\w*$/i.test(key)) : [];
  return `const value = ${text};\nexport default value;\n${keys.map((key) => `const {${key}: _${key}} = value; export {_${key} as ${key}};`).join("\n")}`;
}
