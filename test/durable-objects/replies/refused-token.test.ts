// Answers while Discord does not accept the bot's token, or there is none: nothing is lost, nothing comes twice, and Discord is rarely asked.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT } from "../../support/message-harness.ts";
import { createOutageHarness, type OutageHarness, passForgetfully, renew } from "../../support/outage-harness.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const REFUSED = "Discord does not accept the bot's token: nothing is sent with it for now {}";
const WORDS = Array.from({ length: 700 }, (_, number) => `word ${number}`).join(" ");

describe("an answer to a message while the token is refused", () => {
  it.each([["lives on"], ["dies"]])("comes once when the token is accepted again, and the object %s", async (fate) => {
    const harness = await createOutageHarness();
    harness.become("refuses");
    harness.write(PEOPLE.mira, `${BOT} hello`);
    await harness.pass(HOUR_MS);
    // The first requests were sent before Discord had answered any of them.
    expect(harness.failed).toEqual([0, 0, 0, 120, 360, 840, 1800]);
    expect(harness.errors().filter((line) => line === REFUSED)).toHaveLength(1);
    if (fate === "dies") renew(harness);
    else harness.become("up");
    await harness.pass(HOUR_MS);
    expect([harness.reads(), harness.world.requests.length]).toEqual([["Hello there."], 1]);
    expect([harness.world.hasWork(), harness.failed.length]).toEqual([false, 7]);
  });

  it("is tried about once an hour by an object that mostly sleeps", async () => {
    const harness = await createOutageHarness();
    harness.become("refuses");
    harness.write(PEOPLE.mira, `${BOT} hello`);
    await harness.pass(10 * MINUTE_MS);
    expect(harness.failed.length).toBe(5);
    await passForgetfully(harness, DAY_MS);
    expect([harness.failed.length, harness.world.alarms.length]).toEqual([30, 54]);
    renew(harness);
    await harness.pass(HOUR_MS);
    expect([harness.reads(), harness.world.requests.length]).toEqual([["Hello there."], 1]);
  });

  it("comes by a new life even if the bot may not read the channel", async () => {
    const harness = await createOutageHarness();
    harness.become("refuses");
    harness.write(PEOPLE.mira, `${BOT} hello`);
    await harness.pass(HOUR_MS);
    renew(harness);
    harness.world.discord.configure({ botReadsHistory: false });
    await harness.pass(HOUR_MS);
    expect(harness.reads()).toEqual(["Hello there."]);
  });

  it("continues where it was when the token was refused", async () => {
    const harness = await createOutageHarness({ answerTo: () => ({ texts: [WORDS] }) });
    harness.write(PEOPLE.mira, `${BOT} count`);
    while (harness.reads().length < 2) await harness.world.step(harness.world.clock.now() + 100);
    const before = harness.reads();
    harness.become("refuses");
    await harness.pass(HOUR_MS);
    expect(harness.reads()).toEqual(before);
    renew(harness);
    await harness.pass(HOUR_MS);
    expect(harness.reads().length).toBe(4);
    expect(harness.reads().join(" ").replace(/\s+/g, " ")).toBe(WORDS);
  });

  it("waits for a token if there is none any more, and sends nothing", async () => {
    const harness = await createOutageHarness();
    const { world } = harness;
    harness.become("refuses");
    harness.write(PEOPLE.mira, `${BOT} hello`);
    await harness.pass(MINUTE_MS);
    delete world.variables.DISCORD_BOT_TOKEN;
    renew(harness);
    harness.requests();
    await passForgetfully(harness, DAY_MS);
    expect([harness.requests(), harness.errors().includes(REFUSED)]).toEqual([[], true]);
    world.variables.DISCORD_BOT_TOKEN = APPLICATION.botToken;
    renew(harness);
    await harness.pass(HOUR_MS);
    expect([harness.reads(), world.requests.length]).toEqual([["Hello there."], 1]);
  });
});

it("a command is answered and finished at once, and the buttons of the previous answer stay", async () => {
  const harness = await createOutageHarness();
  const { world } = harness;
  await harness.chat(PEOPLE.mira, "One?");
  await harness.pass(20 * MINUTE_MS);
  harness.become("refuses");
  const since = world.clock.now();
  await harness.chat(PEOPLE.mira, "Two?");
  expect(world.clock.now() - since).toBeLessThan(2000);
  expect([harness.failed.length, harness.reads().length]).toEqual([1, 2]);
});

describe("a command's answer that an outage delayed until its token ended", () => {
  const SHOWN = "> Hello?\nHello there.";
  const ask = ({ world }: OutageHarness, as: string) => {
    const used = { kind: "command", as, channel: world.channelId, name: "chat" } as const;
    void world.during(world.discord.interact({ ...used, options: { message: "Hello?" } }));
  };

  it.each([["lives on"], ["dies"]])("also waits for an accepted token of the bot, and the object %s", async (fate) => {
    const harness = await createOutageHarness();
    const { world } = harness;
    harness.become("down");
    ask(harness, PEOPLE.mira);
    await harness.pass(16 * MINUTE_MS);
    harness.become("refuses");
    for (const list of [world.alarms, harness.failed]) list.length = 0;
    await passForgetfully(harness, 5 * HOUR_MS);
    expect([harness.reads(), world.alarms.length, harness.failed.length]).toEqual([[""], 14, 7]);
    if (fate === "dies") renew(harness);
    else harness.become("up");
    await harness.pass(2 * HOUR_MS);
    expect([harness.reads(), world.requests.length, world.hasWork()]).toEqual([[SHOWN], 1, false]);
  });

  it("is there although Discord refused the token for a moment before", async () => {
    const harness = await createOutageHarness();
    harness.become("refuses");
    await harness.chat(PEOPLE.mira, "Hello?");
    harness.become("down");
    ask(harness, PEOPLE.theo);
    await harness.pass(2 * HOUR_MS);
    renew(harness);
    await harness.pass(HOUR_MS);
    expect(harness.reads()).toEqual([SHOWN, SHOWN]);
  });
});
