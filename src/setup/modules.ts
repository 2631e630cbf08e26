// Builds the Worker as several modules: one with everything that every answer and turn needs, which is loaded at startup, and others that
// start at an `import()` in the source and are loaded when they are first used. Wrangler by itself would build one file. The configuration
// that the deploy writes runs this file.
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type OutputAsset, type OutputChunk, rolldown } from "rolldown";

/** The folder of the modules, relative to the repository's root. */
export const MODULES = ".wrangler/modules";
/** The module at which the Worker starts. */
export const MAIN_MODULE = "index.js";

/** A built module. */
export interface BuiltModule {
  /** The module's file name, in the folder of the modules. */
  name: string;
  /** The modules that are loaded together with it. All others are loaded by an `import()`. */
  imports: string[];
  /** The files that it was built from, relative to the repository's root. */
  sources: string[];
}

/**
 * The modules that are loaded when they are used, with everything they need. A file belongs to the first one that matches. Loading `seldom`
 * takes less than a millisecond, so the others may import it. It imports none of them: building the tools' schemas takes five milliseconds.
 */
const WHEN_USED = [
  {
    name: "seldom",
    test: /\/(src\/(app|channel|config|core|discord|health|model|turn)|durable-objects)\b(?!\/gateway)/,
  },
  { name: "inspector", test: /\/src\/inspector\// },
  { name: "gateway", test: /\/gateway\// },
  { name: "tools", test: /./ },
];

/** Parts of Hono that its classes contain but no route uses: parsing of form bodies, and mounting of other applications. */
const UNUSED = /\/hono\/dist\/utils\/(?:body|mount)\.js$/;

/**
 * Builds the modules of the checkout at `root` into a folder, which is emptied first. Rejects if the source can't be built. `main`: the main
 * file; a test may pass a Worker that wraps the product's.
 */
export async function buildModules(root: string, dir: string, main = "src/index.ts"): Promise<BuiltModule[]> {
  await rm(dir, { recursive: true, force: true });
  const built = await rolldown({
    cwd: root,
    input: { index: join(root, main) },
    platform: "neutral",
    external: [/^cloudflare:/, /^node:/],
    // This is how wrangler resolves packages for a Worker.
    resolve: { conditionNames: ["workerd", "worker", "browser"], mainFields: ["browser", "module", "main"] },
    transform: { target: "es2024" },
    optimization: { inlineConst: { mode: "all", pass: 3 } },
    plugins: [
      {
        name: "unused",
        load: { filter: { id: UNUSED }, handler: () => "export const createMountedRequest = 0, parseBody = 0;" },
      },
      { name: "what cards say", transform: { filter: { id: /\/src\/tools\/[\w-]+\.ts$/ }, handler: untold } },
      {
        name: "ASCII alone",
        generateBundle: (_, bundle) => {
          for (const one of Object.values(bundle)) if (one.type === "chunk") one.code = escaped(one.code);
        },
      },
    ],
    logLevel: "warn",
    // Otherwise a package that is not installed would be left to the runtime, and the error would come only when somebody uses it.
    onLog: (level, log, report) => report(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
  });
  const options = {
    dir,
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: MAIN_MODULE,
    chunkFileNames: "[name].js",
  } as const;
  // By default, rolldown makes a module for each set of files that the same importers share: 80 of them, many with a single line, and each
  // with a list of names.
  const needed = new Set(
    readAtStart(listModules((await built.generate(options)).output)).flatMap((one) => one.sources),
  );
  const groups = [{ name: "needed", test: (id: string) => needed.has(id) }, ...WHEN_USED];
  const { output } = await built.write({ ...options, codeSplitting: { groups } });
  await built.close();
  return listModules(output).map((one) => ({ ...one, sources: one.sources.map((path) => relative(root, path)) }));
}

/** Removes from the tools' source what their cards already contain for the models: the program needs these texts only once. */
const untold = (source: string): string =>
  source
    .replace(FACTS, "")
    .replace(/(\bdescription(?: =|:)\s+)"(?:[^"\\]|\\.)*"/g, '$1""')
    // The description may be the only check of a value, or the last one.
    .replace(new RegExp(`\\.check\\(\\s*${DESCRIBE},?\\s*\\)|,\\s*${DESCRIBE}`, "g"), "");
/** Fields of a tool in formatted source: each is on one line, or continues on lines that are indented further. */
const FACTS =
  /^ {2}(?:category|hints|triggers|requires|endsTurnAfterText|givesAddresses): (?:\{\n(?: {4}.*\n)+ {2}\}|.*),\n/gm;
const DESCRIBE = /\bdescribe\(\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`),?\s*\)/.source;

/**
 * Escapes everything beyond ASCII. Code in pure ASCII takes half the memory in the runtime, and starts 1 ms faster. Escapes are safe because
 * nothing in the source reads a raw template.
 */
const escaped = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const listModules = (output: readonly (OutputChunk | OutputAsset)[]): BuiltModule[] =>
  output.flatMap((one) => {
    if (one.type !== "chunk") return [];
    // A helper of rolldown has no file.
    const sources = one.moduleIds.filter((id) => !id.startsWith("\0"));
    return [{ name: one.fileName, imports: one.imports, sources }];
  });

/** Returns the built modules that a Worker loads when it starts. */
export function readAtStart(built: readonly BuiltModule[]): BuiltModule[] {
  const names = new Set([MAIN_MODULE]);
  // Iterating over a set includes what is added during the loop.
  for (const name of names)
    for (const one of built.find((module) => module.name === name)?.imports ?? []) names.add(one);
  return built.filter(({ name }) => names.has(name));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  await buildModules(root, join(root, MODULES));
}
