// A product whose variables have problems: it starts, says which variable it is, and shows no value. If only a secret of the
// endpoint itself would make an answer impossible, it answers.
import { afterAll, beforeAll, expect, it } from "vitest";
import { say } from "../../src/core/copy/notices.ts";
import { startDeployed } from "../support/deployed.ts";
import { createE2eWorld, exampleVars, MIRA, newChannel, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let product: Product;

beforeAll(async () => {
  const complete = exampleVars("http://127.0.0.1:9");
  const devVars = complete.replace(/^OPENAI_API_KEY=.*$/m, "").replace(/^(DISCORD_PUBLIC_KEY)=.*$/m, "$1=not-a-key");
  product = await startDeployed("production", devVars);
});
afterAll(() => product?.stop());

it("names each missing or bad variable on both routes and once in the log, and shows no value", async () => {
  const health = await fetch(`${product.url}/health`);
  const interactions = await fetch(`${product.url}/interactions`, { method: "POST", body: "{}" });
  await fetch(`${product.url}/interactions`, { method: "POST", body: "{}" });
  const problems = ["DISCORD_PUBLIC_KEY is not 64 hexadecimal digits", "OPENAI_API_KEY is missing"];
  expect([health.status, interactions.status]).toEqual([500, 500]);
  expect(await health.json()).toEqual({ ok: false, version: expect.any(String), problems });
  expect(await interactions.json()).toEqual({ error: "not configured", problems });
  // The runtime prints in its own time.
  await until("the line", () => product.logs().includes("not configured"));
  expect(product.logs()).not.toContain("not-a-key");
  const lines = product.logs().match(/\{"level":"error","line":"not configured".*\}/g) ?? [];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: "error", line: "not configured", problems, unlogged: 0 },
  ]);
});

it("stays up if the owners can't be read: answers PING, and everything else with a sentence that names the variable", async () => {
  const world = await createE2eWorld();
  const misled = await startDeployed("production", `${world.devVars}\nOWNER_IDS=abc\n`);
  try {
    world.connect(misled.url);
    const channel = newChannel(world);
    const ping = { kind: "ping", as: MIRA, channel: channel.id } as const;
    expect(await world.discord.interact(ping)).toMatchObject({ ok: true, seen: "pong" });
    await channel.say(MIRA, "hi");
    const { content, ephemeral } = world.discord.messages(channel.id, MIRA).at(-1) ?? {};
    expect([content, ephemeral]).toEqual([say.notConfigured(["OWNER_IDS is not a list of Discord ids"]), true]);
    const owner = { kind: "command", name: "owner", subcommand: "servers", as: MIRA, channel: channel.id } as const;
    expect(await world.discord.interact(owner)).toMatchObject({ ok: true, seen: "message" });
    const typing = { kind: "autocomplete", name: "config", subcommand: "set", options: { key: "k" } } as const;
    const asks = { ...typing, focused: "key", as: MIRA, channel: channel.id } as const;
    expect(await world.discord.interact(asks)).toMatchObject({ seen: "choices", shown: [] });
    expect([world.model.log, channel.messages()]).toEqual([[], []]);
  } finally {
    await misled.stop();
    await world.close();
  }
});
