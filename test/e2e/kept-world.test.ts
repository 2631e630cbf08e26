// What the playground keeps: over an edit of the source, and over a restart, with another start on its port.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";
import { PATIENT } from "../support/e2e-harness.ts";
import { ROOT } from "../support/product.ts";
import { openButtons } from "../support/shown-answer.ts";

const here = { channel: PLACES.general, as: PEOPLE.mira };

async function local({ url }: Playground, path: string, body?: unknown): Promise<unknown> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(url + path, body === undefined ? {} : init)).json();
}

/** The texts of #general and the names of the commands, once the playground answers. */
async function remembered(playground: Playground) {
  const { messages } = (await local(playground, "/local/state")) as { messages: LocalMessage[] };
  const commands = (await local(playground, "/local/commands")) as { name: string }[];
  return { words: messages.map(({ content }) => content), commands: commands.map(({ name }) => name) };
}

/** Whether the group that this process led still has a process. */
function isThere(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    expect(error).toMatchObject({ code: "ESRCH" });
    return false;
  }
}

/** Asks, and waits for the whole answer. */
async function ask(playground: Playground, message: string): Promise<void> {
  expect(await local(playground, "/local/say", { ...here, message })).toMatchObject({ ok: true });
  const last = async () => {
    const { messages } = (await local(playground, "/local/state")) as { messages: LocalMessage[] };
    const message = messages.at(-1);
    return { ...message, components: openButtons(message?.components ?? []) };
  };
  const ended = { loading: false, content: expect.stringMatching(/./), components: [], interaction: { text: message } };
  await expect.poll(last).toMatchObject(ended);
}

describe("what was said and registered", () => {
  let folder: string;
  let config: string;
  let root: string;
  let source: string;
  let playground: Playground;
  let port = 0;
  let before: Awaited<ReturnType<typeof remembered>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-"));
    config = join(folder, "wrangler.toml");
    root = join(folder, "root.ts");
    source = `export { default, ChannelObject, GatewayObject, ScopeObject } from ${JSON.stringify(join(ROOT, "src/index.ts"))};\n`;
    const product = await readFile(join(ROOT, "wrangler.toml"), "utf8");
    await writeFile(config, product.replace('"src/index.ts"', '"root.ts"'));
    await writeFile(root, source);
  });
  afterEach(async () => {
    const { pid } = playground;
    await playground.stop();
    await playground.stop();
    // A process that waits for its disk ends a moment after it was killed.
    await expect.poll(() => isThere(pid), { message: "no process is left" }).toBe(false);
    expect(existsSync(keys()), "no key is left").toBe(false);
  });
  afterAll(() =>
    Promise.all(
      [folder, join(ROOT, ".wrangler/playground", String(port))].map((path) => rm(path, { recursive: true })),
    ),
  );

  const keys = () => join(ROOT, ".wrangler/playground", String(port), "parley/.dev.vars");

  async function start(world: "kept" | "emptied"): Promise<void> {
    playground = await launchPlayground({ port, quiet: true, productConfig: config, world });
    await local(playground, "/local/options", PATIENT);
  }

  it("stay the same when a source is saved", async () => {
    await start("emptied");
    port = Number(new URL(playground.url).port);
    await ask(playground, "hello");
    before = await remembered(playground);
    expect(before.commands).toContain("chat");
    const reloads = () => playground.logs().split("Local server updated and ready").length;
    const was = reloads();
    await writeFile(root, `${source}// Changed.\n`);
    await expect.poll(reloads).toBeGreaterThan(was);
    expect(await remembered(playground)).toEqual(before);
  });

  it("are still there after a restart, for the model too, and no other start may use the port in the meantime", async () => {
    const restarted = start("kept");
    await expect.poll(() => existsSync(keys())).toBe(true);
    const refused = `Port ${port} is used by another \`npm start\`. Choose another with --port.`;
    await expect(launchPlayground({ port, world: "kept", quiet: true })).rejects.toThrow(refused);
    await restarted;
    // The running one was left alone: its Worker still knows the way to its own process.
    const log = await fetch(`${playground.url}/launcher/log`);
    expect([log.status, existsSync(keys())]).toEqual([200, true]);
    await log.body?.cancel();
    expect(await remembered(playground)).toEqual(before);
    await ask(playground, "and again");
    expect(JSON.stringify(await local(playground, "/local/model/log"))).toContain("hello");
  });

  it("are gone if it is to begin with an empty Discord", async () => {
    await start("emptied");
    expect((await remembered(playground)).words).toEqual([]);
  });
});
