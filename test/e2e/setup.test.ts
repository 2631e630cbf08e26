// The setup command as a process: from nothing to an answer in the local Discord, and Ctrl-C while the secrets are in a file.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { type Served, serve } from "../../src/playground/serve.ts";
import { createE2eWorld, type E2eWorld, newChannel, until } from "../support/e2e-harness.ts";
import { runScript } from "../support/process.ts";
import { PRODUCTION, type Product, ROOT, startProduct } from "../support/product.ts";

let world: E2eWorld;
let cloud: Served;
let folder: string;
/** How a deploy ends; its answer is the Worker's address. */
let onDeploy: (secrets: Record<string, string>) => Promise<string>;
const products: Product[] = [];
let names: string[] = [];
/** Setup writes it into the repository; a real deploy's file must stay. */
const DEPLOY_CONFIG = join(ROOT, "wrangler.deploy.toml");
let deployConfig: string | null = null;

/** What setup has left in the folder for temporary files, where Node and npm have files of their own. */
const listPrivate = async () => (await readdir(folder)).filter((name) => name.startsWith("parley-setup-"));

const NOT_THERE = { success: false, errors: [{ code: 10007, message: "not there" }] };

beforeAll(async () => {
  deployConfig = await readFile(DEPLOY_CONFIG, "utf8").catch(() => null);
  folder = await mkdtemp(join(tmpdir(), "parley-setup-test-"));
  world = await createE2eWorld();
  world.discord.configure({ interactionsEndpoint: false });
  cloud = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/deploy") return new Response(await onDeploy((await request.json()) as Record<string, string>));
    if (pathname.endsWith("/workers/subdomain")) return Response.json({ success: true, result: { subdomain: "test" } });
    if (names.length === 0) return Response.json(NOT_THERE, { status: 404 });
    const bindings = ["CHANNEL", ...names].map((name) => ({ type: "secret_text", name }));
    return Response.json({ success: true, result: { bindings, enabled: true } });
  });
});
afterAll(async () => {
  for (const product of products) await product.stop();
  await world?.close();
  await cloud?.close();
  await rm(folder, { recursive: true, force: true });
  if (deployConfig === null) await rm(DEPLOY_CONFIG, { force: true });
  else await writeFile(DEPLOY_CONFIG, deployConfig);
});

const environment = () => ({
  PARLEY_WRANGLER: join(ROOT, "test/support/scripted-wrangler.ts"),
  PARLEY_TEST_CLOUD: cloud.url,
  CLOUDFLARE_API_BASE_URL: cloud.url,
  DISCORD_API_BASE_URL: `${world.url}/api/v10`,
  DISCORD_BOT_TOKEN: APPLICATION.botToken,
  OPENAI_API_KEY: "the-model-key",
  OPENAI_BASE_URL: `${world.url}/v1`,
  OPENAI_MODEL: "local",
  OWNER_IDS: PEOPLE.juno,
  TMPDIR: folder,
});

it("leads from nothing to the first answer, shows no secret, and the doctor then finds nothing wrong", async () => {
  onDeploy = async (secrets) => {
    names = Object.keys(secrets);
    const lines = Object.entries(secrets).map(([name, value]) => `${name}='${value}'`);
    const modules = inject("modules").production;
    const product = await startProduct({ config: PRODUCTION, modules, devVars: lines.join("\n") });
    products.push(product);
    world.connect(product.url);
    return product.url;
  };
  const begun = Date.now();
  const ran = await runScript("setup", ["--yes"], environment());
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const channel = newChannel(world);
  await channel.say(PEOPLE.juno, "hello");
  const [answer] = await channel.settled(1);
  console.log(`${ran.out}\nfrom nothing to the first answer: ${Date.now() - begun} ms`);
  expect(answer).not.toBe("");
  expect(await listPrivate()).toEqual([]);
  const doctor = await runScript("doctor", ["--json", "--url", products[0]?.url ?? ""], environment());
  const findings = JSON.parse(doctor.out) as { ok: boolean | null }[];
  expect([doctor.code, findings.filter(({ ok }) => ok === false)]).toEqual([0, []]);
  for (const secret of [APPLICATION.botToken, "the-model-key", "token-of-cloudflare"])
    expect(`${ran.out}${ran.err}${doctor.out}${doctor.err}`).not.toContain(secret);
});

it("leaves no file with secrets if it is stopped by Ctrl-C during the deploy", async () => {
  let contents = "";
  const asked = Promise.withResolvers<void>();
  onDeploy = async () => {
    const [name = ""] = await listPrivate();
    contents = await readFile(join(folder, name, "secrets.json"), "utf8");
    asked.resolve();
    return new Promise(() => {});
  };
  const child = spawn(process.execPath, ["src/setup/setup.ts", "--yes"], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  await asked.promise;
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(contents).toContain(APPLICATION.botToken);
  await until("the end of the file", async () => (await listPrivate()).length === 0);
});
