// A person who brought the bot along into a server that has not added it, through the production Worker: what they say there and what is
// said in the channel never meet, the owner's limits apply, and `/privacy forget` reaches their own object.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import { createE2eWorld, type E2eWorld, MIRA, newChannel, requestTexts, THEO, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";
import { withinADay } from "../support/within-a-day.ts";

/** Someone whom no other test has met. */
const GUEST = "1180000000000000099";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  const models = JSON.stringify([{ id: "priced", model: "local", price: { input: 2, output: 10 } }]);
  const devVars = `${world.devVars}\nOWNER_IDS=${MIRA}\nVISITORS=anyone\nMODELS=${models}\nMAX_USD_PER_DAY=1\n`;
  product = await startDeployed("production", devVars);
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

const chat = (as: string, channel: string, message: string) =>
  world.discord.interact({ kind: "command", name: "chat", options: { message }, as, channel, userInstallOnly: true });
const answered = (text: string) => ({ chunks: [{ text }] });
/** What this person sees of the bot there. */
const seen = (channel: string, as: string) => world.discord.messages(channel, as).filter(({ author }) => author.bot);
const asText = () => requestTexts(world).join("\n");

it("a visitor and the channel never see each other's words, and a visitor's button finds their own object", async () => {
  const { id, say, settled } = newChannel(world);
  world.model.script([answered("Noted here."), answered("Noted there."), answered("Yes."), answered("No.")]);
  await say(MIRA, "the channel's secret is plum");
  await settled(1);
  await chat(THEO, id, "the visitor's secret is quince");
  await until("the visitor's answer", () => seen(id, THEO).some(({ content }) => content.includes("Noted there.")));
  expect(asText()).not.toContain("plum");
  await chat(THEO, id, "what did I say?");
  await until("their second", () => seen(id, THEO).some(({ content }) => content.includes("Yes.")));
  expect([asText().includes("quince"), asText().includes("plum")]).toEqual([true, false]);
  await say(MIRA, "what was said?");
  await until("the channel's second", () => seen(id, MIRA).some(({ content }) => content.includes("No.")));
  expect([asText().includes("plum"), asText().includes("quince")]).toEqual([true, false]);
});

it("another visitor in the same channel has a separate object, and Stop ends only the answer above it", async () => {
  const { id } = newChannel(world);
  world.model.script([{ chunks: [{ text: "Slowly" }, { hang: true }] }, { chunks: [{ text: "Too" }, { hang: true }] }]);
  await chat(THEO, id, "one");
  await until("Theo's text", () => seen(id, THEO).some(({ content }) => content.startsWith("Slowly")));
  // There is no queue: the other visitor is answered at the same time.
  await chat(PEOPLE.juno, id, "two");
  await until("Juno's text", () => seen(id, PEOPLE.juno).some(({ content }) => content.startsWith("Too")));
  const stop = async (as: string, start: string) => {
    const message = seen(id, as).find(({ content }) => content.startsWith(start));
    const customId = JSON.stringify(message?.components).match(/"custom_id":"([^"]+)"/)?.[1] ?? "";
    await world.discord.interact({ kind: "click", as, channel: id, messageId: message?.id ?? "", customId });
    return customId;
  };
  expect(await stop(THEO, "Slowly")).toMatch(new RegExp(`^stop:\\d+:${THEO}$`));
  await until("the stop", () => seen(id, THEO).some(({ content }) => /^Slowly.*Stopped/s.test(content)));
  expect(seen(id, PEOPLE.juno).some(({ content }) => /^Too.*Stopped/s.test(content))).toBe(false);
  await stop(PEOPLE.juno, "Too");
  await until("the other stop", () => seen(id, PEOPLE.juno).some(({ content }) => /^Too.*Stopped/s.test(content)));
});

it("a click on Forget me reaches what they said as a visitor, there and in other channels", async () => {
  const [first, second] = [newChannel(world).id, newChannel(world).id];
  const said = (channel: string, text: string) =>
    until(text, () => seen(channel, GUEST).some(({ content }) => content.includes(text)));
  world.model.script([answered("Kept one."), answered("Kept two."), answered("Blank one."), answered("Blank two.")]);
  await chat(GUEST, first, "apricot");
  await said(first, "Kept one.");
  await chat(GUEST, second, "apricot too");
  await said(second, "Kept two.");
  const here = { as: GUEST, channel: first, userInstallOnly: true } as const;
  // The report of a turn follows its answer, so at the first click the scope may not know of the other channel.
  const forgets = async () => {
    const { messageId = "" } = await world.discord.interact({
      ...{ ...here, kind: "command", name: "privacy", subcommand: "forget" },
    });
    await world.discord.interact({ ...here, kind: "click", messageId, customId: `forget:${GUEST}:${GUEST}` });
    return seen(first, GUEST).at(-1)?.content ?? "";
  };
  let told = await forgets();
  while (!/1 other channel/.test(told)) told = await forgets();
  for (const [channel, text] of [
    [first, "Blank one."],
    [second, "Blank two."],
  ] as const) {
    await chat(GUEST, channel, "anything?");
    await said(channel, text);
    expect(asText()).not.toContain("apricot");
  }
});

it("the owner's limit of money applies in a visitor's object, and counts what was spent there", () =>
  withinADay(async () => {
    const { id } = newChannel(world);
    const usage = { prompt_tokens: 500_000, completion_tokens: 0, total_tokens: 500_000 };
    world.model.script([{ chunks: [{ text: "Dear." }], usage }]);
    await chat(THEO, id, "hi");
    await until("the answer", () => seen(id, THEO).some(({ content }) => content.includes("Dear.")));
    // The report of a turn follows its answer, and until then most of the limit is available to others.
    const usageOf = {
      kind: "command",
      name: "owner",
      subcommand: "usage",
      as: MIRA,
      channel: PLACES.dmOfMira,
    } as const;
    await until("the report", async () => {
      await world.discord.interact(usageOf);
      const [, cost] =
        /^Today: .* Cost: \$([\d.]+) of \$1\.$/m.exec(seen(PLACES.dmOfMira, MIRA).at(-1)?.content ?? "") ?? [];
      return Number(cost) >= 1;
    });
    const before = world.model.log.length;
    await chat(PEOPLE.juno, id, "hi");
    await until("the refusal", () => seen(id, PEOPLE.juno).some(({ content }) => /\$1\b/.test(content)));
    expect(world.model.log).toHaveLength(before);
  }));
