// What is deployed: the content and the size of the bundle that wrangler builds, and of the modules into which the deploy splits it.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { APPLICATION } from "../src/playground/discord/local-discord.ts";
import { DEVELOPMENT_SEED_HEX } from "../src/playground/key.ts";
import { type BuiltModule, buildModules, readAtStart } from "../src/setup/modules.ts";
import * as convertUnits from "../src/tools/convert-units.ts";
import { rollDice } from "../src/tools/roll-dice.ts";
import { COMPATIBILITY_FLAGS } from "./support/production.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** The bound for the whole product as it is deployed; a Worker may be larger, but each kilobyte delays a cold start. */
const MAX_GZIP_BYTES = 301_400;
/** The bound for the part that is needed to answer Discord and to run a turn; the rest is loaded when it is first used. */
const MAX_NEEDED_GZIP_BYTES = 158_230;
/** The bound for the inspector, which is loaded only when an owner opens it. */
const MAX_INSPECTOR_GZIP_BYTES = 15_600;
/** The bound for what only Discord's Gateway needs. */
const MAX_GATEWAY_GZIP_BYTES = 12 * 1024;
/** Says what to do when a size exceeds its bound. */
const OVER = "What is deployed has outgrown a bound of this file. Raise it by what your change weighs, in bytes";

let folder: string;
let code: Buffer;
let inputs: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-bundle-"));
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "deploy", "--dry-run", "--minify", "--outdir", folder, "--metafile"];
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_LOG_PATH: join(folder, "logs") };
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  code = await readFile(join(folder, "index.js"));
  const meta = JSON.parse(await readFile(join(folder, "bundle-meta.json"), "utf8")) as { inputs: object };
  inputs = Object.keys(meta.inputs);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("the bundle consists of the product's files and packages, with nothing from the playground or the tests", () => {
  expect(inputs).toContain("src/index.ts");
  expect(inputs.filter((file) => /(^|\/)(playground|test)\//.test(file))).toEqual([]);
  const packages = inputs.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  expect([...new Set(packages)].sort()).toEqual(["hono", "jsonrepair", "zod"]);
});

it("the bundle contains no private key, no token and no text of the local Discord and model", () => {
  const foreign = [DEVELOPMENT_SEED_HEX, APPLICATION.botToken, "local model", "local Discord"];
  expect(foreign.filter((text) => code.includes(text))).toEqual([]);
});

it("the bundle needs no Node API, which the production configuration switches off", () => {
  expect(code.toString()).not.toMatch(/\b(?:from|import|require)\s*\(?["']node:/);
  expect(COMPATIBILITY_FLAGS).toEqual(expect.arrayContaining(["no_nodejs_compat", "no_nodejs_compat_v2"]));
});

it("the gateway's own code stays within its share", async () => {
  // The channels' objects also decide what is a question, so that file belongs to neither side.
  const own = /\/(src\/gateway|src\/discord\/gateway|durable-objects\/gateway)\/(?!question\.ts)/;
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "durable-objects/gateway/composition-root.ts")],
    ...{ bundle: true, minify: true, format: "esm", target: "es2024", write: false },
    plugins: [
      {
        name: "all else is outside",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, resolveDir, kind }) =>
            kind === "entry-point" || (path.startsWith(".") && own.test(resolve(resolveDir, path)))
              ? null
              : { path, external: true },
          ),
      },
    ],
  });
  const code = outputFiles[0]?.text.replace(/import\{[^}]*\}from"[^"]*";/g, "") ?? "";
  expect(code).toContain("outbox");
  expect(gzipSync(code).length, OVER).toBeLessThanOrEqual(MAX_GATEWAY_GZIP_BYTES);
});

/** Whether the file builds a schema when it is loaded, which would cost time at every start. */
const buildsSchema = (path: string): boolean =>
  existsSync(path) &&
  /^(export )?const \w+ = (array|object|looseObject|nullable|nullish|optional|record|string|union)\(/m.test(
    readFileSync(path, "utf8"),
  );

it("no route uses the parts of Hono that the deploy leaves out", () => {
  const routes = [...new Set(inputs)].filter((file) => /^(src|durable-objects)\/.*\.ts$/.test(file));
  expect(routes.length).toBeGreaterThan(100);
  expect(routes.filter((file) => /\.(mount|parseBody)\(/.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

it("code that a turn does not need is in separate modules", async () => {
  const out = join(folder, "modules");
  const built = await buildModules(ROOT, out);
  const needed = readAtStart(built);
  // As wrangler counts an upload.
  const gzip = async (modules: readonly BuiltModule[]) =>
    gzipSync(Buffer.concat(await Promise.all(modules.map(({ name }) => readFile(join(out, name)))))).length;
  const now = needed.flatMap(({ sources }) => sources);
  const later = built.flatMap((one) => (needed.includes(one) ? [] : one.sources));
  for (const file of ["gateway/live-gateway", "scope/scope", "scope/connect", "upkeep/compact"])
    expect(later).toContain(`durable-objects/${file}.ts`);
  const inspector = built.filter(({ sources }) => sources.includes("src/inspector/inspector.ts"));
  expect(now.filter((file) => /^src\/(inspector|core\/copy\/inspect)/.test(file))).toEqual([]);
  expect(inspector).toHaveLength(1);
  expect(await gzip(inspector), OVER).toBeLessThanOrEqual(MAX_INSPECTOR_GZIP_BYTES);
  for (const file of ["model/make-picture", "model/transcribe", "turn/sounds", "app", "mcp/remote-tools"])
    expect(later).toContain(`src/${file}.ts`);
  for (const file of ["tools/roll-dice", "toolkit/run/answer-call"]) expect(later).toContain(`src/${file}.ts`);
  expect(now).toContain("durable-objects/channel.ts");
  expect(now.filter((file) => !file.includes("node_modules") && buildsSchema(join(ROOT, file)))).toEqual([]);
  const texts = await Promise.all(built.map(({ name }) => readFile(join(out, name), "utf8")));
  const told = [rollDice.description, convertUnits.description, convertUnits.inputSchema.properties.to.description];
  for (const text of told) expect(texts.join("").split(text)).toHaveLength(2);
  // What a tool needs, which its card says.
  expect(texts.join("").split("`privateHosts`]")).toHaveLength(2);
  expect(texts.join("")).not.toMatch(/[^\0-\x7f]/);
  // A regular expression literal: it would be compiled at every start, with all the letters of its classes.
  expect(texts.join("").match(/(?<!\\)\\p\{.{0,40}/gi)).toBeNull();
  // Both at once: a change that outgrows one bound usually outgrows the other, and a build takes a while.
  expect.soft(await gzip(needed), OVER).toBeLessThanOrEqual(MAX_NEEDED_GZIP_BYTES);
  expect.soft(await gzip(built), OVER).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});
