// What is uploaded and what starting it costs: the gzip size of the modules that answering and a turn need, and of all modules; and the
// window of `wrangler check startup`, next to that of an empty Worker.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type BuiltModule, buildModules, MAIN_MODULE, readAtStart } from "../../../src/setup/modules.ts";
import { ROOT } from "../../support/product.ts";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../support/production.ts";
import { type Effort, type Figure, inTurns, median, range, rounded } from "../figures.ts";

const KB = 1000;
const US = 1000;
const CONFIG = [
  'name = "bench-start"',
  `main = "${MAIN_MODULE}"`,
  `compatibility_date = ${JSON.stringify(COMPATIBILITY_DATE)}`,
  `compatibility_flags = ${JSON.stringify(COMPATIBILITY_FLAGS)}`,
  "no_bundle = true",
  "find_additional_modules = true",
  'rules = [{ type = "ESModule", globs = ["**/*.js"] }]',
  "",
].join("\n");

/** The gzip size of these modules in bytes, as wrangler counts an upload. */
const gzip = async (modules: readonly BuiltModule[], folder: string): Promise<number> =>
  gzipSync(Buffer.concat(await Promise.all(modules.map(({ name }) => readFile(join(folder, name)))))).length;

/** The milliseconds between a Worker's first and last sign of life at its start. */
async function windowMs(folder: string, config: string): Promise<number> {
  const profile = join(folder, "start.cpuprofile");
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "check", "startup", "-c", config, "--outfile", profile, `--args=-c ${config}`];
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_LOG_PATH: join(folder, "logs") };
  await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  const { startTime, endTime } = JSON.parse(await readFile(profile, "utf8")) as Record<string, number>;
  return ((endTime ?? Number.NaN) - (startTime ?? Number.NaN)) / US;
}

/** The figures of this part. */
export async function startUp({ isQuick }: Effort): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-start-"));
  try {
    const [product, empty] = [join(folder, "product"), join(folder, "empty")];
    const built = await buildModules(ROOT, product);
    const [needed, all] = [await gzip(readAtStart(built), product), await gzip(built, product)];
    await mkdir(empty);
    await writeFile(join(empty, MAIN_MODULE), 'export default { fetch: () => new Response("empty") };\n');
    for (const one of [product, empty]) await writeFile(join(one, "wrangler.toml"), CONFIG);
    const taken = await inTurns(isQuick ? 1 : 5, {
      parley: () => windowMs(product, join(product, "wrangler.toml")),
      floor: () => windowMs(empty, join(empty, "wrangler.toml")),
    });
    const added = median(taken.parley) - median(taken.floor);
    return [
      {
        ...{ id: "start-up", what: "start over an empty Worker's", unit: "ms", parley: added, floor: null },
        ...{ target: "≤ 10 ms", note: `${range(taken.parley)}, an empty one ${rounded(median(taken.floor))}` },
      },
      {
        ...{ id: "bundle-needed", what: "bundle, gzip: what answering and a turn need", unit: "KB", floor: null },
        ...{ parley: needed / KB, target: "≤ 160 KB", note: "the modules that the first one imports" },
      },
      {
        ...{ id: "bundle", what: "bundle, gzip: everything", unit: "KB", floor: null },
        ...{ parley: all / KB, target: "≤ 260 KB", note: `${built.length} modules` },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
