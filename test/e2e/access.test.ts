// Whose bot it is, through the production Worker: its own objects, its own rate limit, and a runtime that is killed.
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessText } from "../../src/core/copy/access.ts";
import { ownerText } from "../../src/core/copy/owner-answers.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import { createE2eWorld, type E2eWorld, MIRA, newChannel, THEO } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;
const STRANGER = accessText({ reason: "private_server" });

beforeAll(async () => {
  world = await createE2eWorld();
  const devVars = `${world.devVars}\nOWNER_IDS=${MIRA}\nSERVERS=claimed\nVISITORS=owners\n`;
  product = await startDeployed("production", devVars);
  world.connect(product.url);
});
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

/** The newest message that this person sees there. */
const newest = (channel: string, as: string) => world.discord.messages(channel, as).at(-1)?.content;
const owner = (subcommand: string, options: Record<string, string> = {}) =>
  world.discord.interact({ kind: "command", name: "owner", subcommand, options, as: MIRA, channel: PLACES.dmOfMira });

it("refuses strangers in a server that no owner has used, and stays open there once an owner has, across a kill", async () => {
  const channel = newChannel(world);
  for (let n = 0; n < 15; n++) await channel.say(THEO, "hi");
  expect([newest(channel.id, THEO), channel.messages()]).toEqual([STRANGER, []]);
  await channel.say(MIRA, "hello");
  await channel.settled(1);
  await channel.say(THEO, "hi");
  expect(await channel.settled(2)).toHaveLength(2);
  await product.killNine();
  await product.restart();
  await channel.say(THEO, "again");
  expect(await channel.settled(3)).toHaveLength(3);
  expect(world.model.log).toHaveLength(3);
});

it("lets an owner deny the server and pause everything, and tells people the reason", async () => {
  await owner("deny", { server: PLACES.guild, reason: "Only for tests." });
  expect(newest(PLACES.dmOfMira, MIRA)).toContain(ownerText.denied(PLACES.guild, "Only for tests."));
  await owner("pause", { state: "on" });
  // A new life has no copy yet.
  await product.killNine();
  await product.restart();
  const channel = newChannel(world);
  await channel.say(THEO, "hi");
  expect(newest(channel.id, THEO)).toBe(accessText({ reason: "paused" }));
  await owner("pause", { state: "off" });
  await owner("servers");
  expect(newest(PLACES.dmOfMira, MIRA)).toContain("denied: Only for tests.");
});
