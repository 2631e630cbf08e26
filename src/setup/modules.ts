// Builds the Worker as modules: what answering and a turn need is read at the start, and each `import()` in the source begins another
// module, which a Worker reads when it is first used. Wrangler alone makes one file of everything. Run by the configuration that the
// deploy writes.
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type OutputAsset, type OutputChunk, rolldown } from "rolldown";

/** The folder of the modules, seen from the repository's root. */
export const MODULES = ".wrangler/modules";
/** The module at which the Worker starts. */
export const MAIN_MODULE = "index.js";

/** One module that was built. */
export interface BuiltModule {
  /** The module's file in the folder of the modules. */
  name: string;
  /** The modules that are read together with it. Others are read by an `import()`. */
  imports: string[];
  /** The files that it was made of, seen from the repository's root. */
  sources: string[];
}

/**
 * What is read when it is used, with all that it needs; a file belongs to the first that fits. Reading the seldom used costs less than a
 * millisecond, so the others may import it, and it none of them: the tools build their schemas, which takes five.
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

/** Of Hono, what its classes have and no route asks for: the forms of a body, and the applications of others. */
const UNUSED = /\/hono\/dist\/utils\/(?:body|mount)\.js$/;

/**
 * Builds the modules of the checkout at `root` into a folder, which is emptied first. Rejects where the source can't be built. `main`: a
 * Worker around the product's, in the same form.
 */
export async function buildModules(root: string, dir: string, main = "src/index.ts"): Promise<BuiltModule[]> {
  await rm(dir, { recursive: true, force: true });
  const built = await rolldown({
    cwd: root,
    input: { index: join(root, main) },
    platform: "neutral",
    external: [/^cloudflare:/, /^node:/],
    // As wrangler finds packages for a Worker.
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
    // A package that is not installed would be left to the runtime, and missed when someone uses what needs it.
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
  // By itself it makes a module of all that the same few others use: 80, many with a line, and a list of names in each.
  const needed = new Set(
    readAtStart(listModules((await built.generate(options)).output)).flatMap((one) => one.sources),
  );
  const groups = [{ name: "needed", test: (id: string) => needed.has(id) }, ...WHEN_USED];
  const { output } = await built.write({ ...options, codeSplitting: { groups } });
  await built.close();
  return listModules(output).map((one) => ({ ...one, sources: one.sources.map((path) => relative(root, path)) }));
}

/** The tools without what their cards say, and models read, about them: the program needs it once. */
const untold = (source: string): string =>
  source
    .replace(FACTS, "")
    .replace(/(\bdescription(?: =|:)\s+)"(?:[^"\\]|\\.)*"/g, '$1""')
    // The only check of a value, or the last.
    .replace(new RegExp(`\\.check\\(\\s*${DESCRIBE},?\\s*\\)|,\\s*${DESCRIBE}`, "g"), "");
/** In formatted source: each on one line, or on lines that are indented further. */
const FACTS =
  /^ {2}(?:category|hints|triggers|requires|endsTurnAfterText|givesAddresses): (?:\{\n(?: {4}.*\n)+ {2}\}|.*),\n/gm;
const DESCRIBE = /\bdescribe\(\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`),?\s*\)/.source;

/** A text of ASCII alone takes a runtime half the memory, and a start 1 ms less. Nothing in the source reads a raw template. */
const escaped = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const listModules = (output: readonly (OutputChunk | OutputAsset)[]): BuiltModule[] =>
  output.flatMap((one) => {
    if (one.type !== "chunk") return [];
    // A helper of the builder's has no file.
    const sources = one.moduleIds.filter((id) => !id.startsWith("\0"));
    return [{ name: one.fileName, imports: one.imports, sources }];
  });

/** The built modules that a Worker reads when it starts. */
export function readAtStart(built: readonly BuiltModule[]): BuiltModule[] {
  const names = new Set([MAIN_MODULE]);
  // A set is walked with what is added to it meanwhile.
  for (const name of names)
    for (const one of built.find((module) => module.name === name)?.imports ?? []) names.add(one);
  return built.filter(({ name }) => names.has(name));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  await buildModules(root, join(root, MODULES));
}
