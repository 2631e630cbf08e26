// Reminders and tasks that come due while Discord does not accept the bot's token, or there is none: they are held back without a model call,
// come once when there is a token, and say when they were due.
import { describe, expect, it } from "vitest";
import { nextOccurrence } from "../../../src/core/time/occurrence.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createOutageHarness, type OutageHarness, passForgetfully, renew } from "../../support/outage-harness.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const HELD = "a reminder waits until Discord accepts the bot's token";

/** Makes a channel in which Mira has asked something. */
async function asked(channelId: string = PLACES.general): Promise<OutageHarness> {
  const harness = await createOutageHarness({ channelId });
  await harness.chat(PEOPLE.mira, "Hello?");
  return harness;
}

/** Adds a reminder that is due in an hour, and stops a minute before that. */
async function withReminder(channelId?: string) {
  const harness = await asked(channelId);
  const dueAt = harness.world.now() + HOUR_MS;
  harness.remind("tea", HOUR_MS);
  await harness.pass(HOUR_MS - MINUTE_MS);
  return { harness, dueAt };
}

/** Adds a task; returns when it first comes. */
function repeat({ world, remind }: OutageHarness, every: string): number {
  const read = readRule(every, world.now(), "UTC");
  if (!read.ok) throw new Error(read.problem);
  const dueAt = nextOccurrence(read.rule, world.now());
  remind("news", dueAt - world.now(), { repeats: { rule: read.rule, every } });
  return dueAt;
}

const heldTimes = ({ world }: OutageHarness) => world.logs.filter(({ text }) => text.startsWith(HELD)).length;
const line = (dueAt: number, text = "tea", every = "") =>
  `there.\n\n-# ⏰ Reminder for <@${PEOPLE.mira}>, ${every}due <t:${Math.floor(dueAt / 1000)}:R>: ${text}`;
const came = (harness: OutageHarness) =>
  harness
    .reads(PEOPLE.mira)
    .slice(1)
    .map((text) => text.slice(text.indexOf("there.")));

describe("a reminder that comes due while the token is refused", () => {
  it.each([["lives on"], ["dies"]])("comes once when the token is accepted again, and the object %s", async (fate) => {
    const { harness, dueAt } = await withReminder();
    harness.become("refuses");
    await harness.pass(HOUR_MS + MINUTE_MS);
    expect([came(harness), harness.world.requests.length, heldTimes(harness)]).toEqual([[], 1, 5]);
    // The person and the channel at once, then one of them as often as the limits allow.
    expect(harness.failed.map((at) => at - 3600)).toEqual([1, 1, 301, 601, 1201, 2401]);
    if (fate === "dies") renew(harness);
    else harness.become("up");
    await harness.pass(2 * HOUR_MS);
    expect([came(harness), harness.world.requests.length]).toEqual([[line(dueAt)], 2]);
    expect(harness.world.hasWork()).toBe(false);
    // The times at which it was held back are not part of the conversation.
    const said = harness.world.requests.at(-1)?.messages ?? [];
    expect(said.filter(({ text }) => text.includes("(This is no message but a reminder")).length).toBe(1);
  });

  it("is tried less and less often by an object that mostly sleeps", async () => {
    const { harness, dueAt } = await withReminder();
    harness.become("refuses");
    await passForgetfully(harness, 10 * MINUTE_MS);
    expect(harness.failed.length).toBe(4);
    await passForgetfully(harness, 7 * DAY_MS);
    expect([harness.failed.length, harness.world.alarms.length, heldTimes(harness)]).toEqual([124, 124, 62]);
    renew(harness);
    await harness.pass(DAY_MS);
    expect([came(harness), harness.world.requests.length]).toEqual([[line(dueAt)], 2]);
  });

  it("also waits in a direct message", async () => {
    const { harness, dueAt } = await withReminder(PLACES.dmOfMira);
    harness.become("refuses");
    await harness.pass(HOUR_MS);
    expect(came(harness)).toEqual([]);
    renew(harness);
    await harness.pass(HOUR_MS);
    expect([came(harness), harness.world.requests.length]).toEqual([[line(dueAt)], 2]);
  });

  it("waits without a request if there is no token", async () => {
    const { harness, dueAt } = await withReminder();
    const { world } = harness;
    delete world.variables.DISCORD_BOT_TOKEN;
    world.restart();
    harness.requests();
    await passForgetfully(harness, DAY_MS);
    expect([harness.requests(), world.requests.length, heldTimes(harness) > 0]).toEqual([[], 1, true]);
    world.variables.DISCORD_BOT_TOKEN = APPLICATION.botToken;
    world.restart();
    await harness.pass(DAY_MS);
    expect([came(harness), world.requests.length]).toEqual([[line(dueAt)], 2]);
  });
});

describe("a recurring task", () => {
  it("that comes once a day comes late, and on time the next day", async () => {
    const harness = await asked();
    const dueAt = repeat(harness, "every day at 9");
    await harness.pass(dueAt - harness.world.now() - MINUTE_MS);
    harness.become("refuses");
    await harness.pass(3 * HOUR_MS);
    expect([came(harness), harness.world.requests.length]).toEqual([[], 1]);
    renew(harness);
    await harness.pass(8 * HOUR_MS);
    const every = "every day at 9, ";
    expect(came(harness)).toEqual([line(dueAt, "news", every)]);
    await harness.pass(DAY_MS - 8 * HOUR_MS);
    expect(came(harness)).toEqual([line(dueAt, "news", every), line(dueAt + DAY_MS, "news", every)]);
  });

  it("that comes every half hour comes once for all the times that were missed", async () => {
    const harness = await asked();
    const dueAt = repeat(harness, "every 30 minutes");
    await harness.pass(dueAt - harness.world.now() - MINUTE_MS);
    harness.become("refuses");
    await passForgetfully(harness, 12 * HOUR_MS);
    // Only at its own times, because it comes again soon.
    expect([came(harness), harness.world.requests.length, harness.failed.length]).toEqual([[], 1, 48]);
    expect(heldTimes(harness)).toBe(24);
    renew(harness);
    await harness.pass(29 * MINUTE_MS);
    expect(came(harness).length).toBe(1);
    await harness.pass(DAY_MS);
    expect(came(harness).length).toBe(49);
  });
});
