// /privacy through the production Worker: what is shown, the file of an export, and the wish to be left out.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { leftOutText } from "../../src/core/copy/privacy.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import { createE2eWorld, type E2eWorld, MIRA, newChannel, THEO, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startDeployed("production", world.devVars);
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

const privacy = (as: string, channel: string, subcommand: string, options: Record<string, string> = {}) =>
  world.discord.interact({ kind: "command", name: "privacy", subcommand, options, as, channel });
const last = (channel: string, as: string) => world.discord.messages(channel, as).at(-1);

it("exports what was said in every channel, as a file that only the person sees", async () => {
  const [first, second] = [newChannel(world), newChannel(world)];
  world.model.script([
    { chunks: [{ text: "Red." }] },
    { chunks: [{ text: "Blue." }] },
    { chunks: [{ text: "Mine." }] },
  ]);
  await first.say(THEO, "which colour?");
  await first.settled(1);
  await second.say(THEO, "and now?");
  await second.settled(1);
  await second.say(MIRA, "my secret");
  await second.settled(2);
  // The report of a turn follows its answer, so at the first command the scope may not know of the other channel.
  const exported = async () => {
    await privacy(THEO, first.id, "export");
    await until("the file", () => (last(first.id, THEO)?.attachments.length ?? 0) > 0);
    const { content, ephemeral, attachments } = last(first.id, THEO) ?? {};
    const response = await fetch(attachments?.[0]?.url ?? "");
    return { content, ephemeral, text: await response.text() };
  };
  let file = await exported();
  while (!file.text.includes("and now?")) file = await exported();
  expect(file).toMatchObject({ ephemeral: true, content: expect.stringContaining("2 conversations") });
  expect(file.text).not.toContain("my secret");
  const { conversations } = JSON.parse(file.text) as { conversations: { channel: string; questions: object[] }[] };
  expect(conversations.find(({ channel }) => channel === second.id)?.questions).toMatchObject([
    { question: "and now?", answer: "Blue.", status: "completed" },
  ]);
  expect(world.discord.messages(first.id, MIRA).some(({ attachments }) => attachments.length > 0)).toBe(false);
});

it("shows what is stored here, and keeps the wish to be left out across a kill", async () => {
  const { id, say, settled } = newChannel(world);
  world.model.script([{ chunks: [{ text: "Yes." }] }]);
  await say(PEOPLE.juno, "hello?");
  await settled(1);
  await privacy(PEOPLE.juno, id, "show");
  expect(last(id, PEOPLE.juno)).toMatchObject({
    ephemeral: true,
    content: expect.stringContaining("1 question of yours"),
  });
  await privacy(PEOPLE.juno, id, "opt-out", { state: "on" });
  expect(last(id, PEOPLE.juno)?.content).toBe(leftOutText({ op: "left_out", isLeftOut: true }, "server"));
  await product.killNine();
  await product.restart();
  await privacy(PEOPLE.juno, id, "show");
  expect(last(id, PEOPLE.juno)?.content).toContain("you are left out");
});
