// What the inspector reads from a scope, and how often an address may try its token.
import { expect, it } from "vitest";
import { countTries } from "../../../durable-objects/scope/inspection.ts";
import { DEPLOYMENT } from "../../../src/core/access/scope-copy.ts";
import { createReader, MAX_CHANNELS_ASKED } from "../../../src/inspector/reader.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 22, 16);
const GUILD = "71";

/** Scopes with turns of the last days: channel, server or null, days ago, turns. */
async function withTurns(used: readonly (readonly [string, string | null, number, number])[]) {
  const harness = createScopeHarness(["1"]);
  harness.clock.now = NOW;
  const usage = { inputTokens: 100, outputTokens: 10, modelCalls: 1, microUsd: 50 };
  for (const [channelId, guildId, daysAgo, turns] of used) {
    const scope = harness.scope(guildId === null ? DEPLOYMENT : `guild:${guildId}`);
    for (let turn = 0; turn < turns; turn++) {
      const turnId = `${channelId} ${daysAgo} ${turn}`;
      await scope.report([{ turnId, userId: "42", channelId, guildId, at: NOW - daysAgo * DAY_MS, usage }]);
    }
  }
  await Promise.all(harness.detached);
  harness.calls.length = 0;
  return harness;
}

const pulse = (channelId: string) => ({
  ...{ channelId, guildId: null, running: null, queued: 0, lastTurnAt: null, newThreads: [] as string[], failures: [] },
});

it("a scope lists the days and the channels of the last 30 days, the most recently used first", async () => {
  const harness = await withTurns([
    ["10", GUILD, 0, 1],
    ["11", GUILD, 0, 2],
    ["12", GUILD, 29, 1],
    ["13", GUILD, 30, 1],
    ["14", null, 3, 1],
  ]);
  const server = await harness.scope(`guild:${GUILD}`).inspect();
  expect(server.channels.map(({ id, lastDay, sum }) => [id, lastDay, sum.turns])).toEqual([
    ["11", "2026-11-22", 2],
    ["10", "2026-11-22", 1],
    ["12", "2026-10-24", 1],
  ]);
  expect(server.days.map(({ day, sum }) => [day, sum.turns, sum.microUsd])).toEqual([
    ["2026-10-24", 1, 50],
    ["2026-11-22", 3, 150],
  ]);
  const deployment = await harness.scope(DEPLOYMENT).inspect();
  expect(deployment.channels.map(({ id }) => id)).toEqual(["14"]);
  expect(deployment.servers.map(({ id, sum }) => [id, sum.turns])).toEqual([
    [GUILD, 4],
    ["", 1],
  ]);
});

it("a scope lists channels where turns failed before their first answer without counting them, because with a wrong key all do", async () => {
  const harness = await withTurns([["10", GUILD, 5, 1]]);
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  const failed = { turnId: "f", userId: "42", at: NOW, usage };
  await harness.scope(`guild:${GUILD}`).report([{ ...failed, channelId: "11", guildId: GUILD }]);
  await harness.scope(DEPLOYMENT).report([{ ...failed, turnId: "g", channelId: "12", guildId: null }]);
  // An upgrade's report of people is not a use of the bot.
  await harness.scope(DEPLOYMENT).report([{ ...failed, turnId: "people:1", channelId: "13", guildId: null }]);
  await Promise.all(harness.detached);
  const [server, deployment] = [
    await harness.scope(`guild:${GUILD}`).inspect(),
    await harness.scope(DEPLOYMENT).inspect(),
  ];
  const listed = [server.channels, deployment.servers, deployment.channels].map((all) =>
    all.map(({ id, sum }) => [id, sum.turns]),
  );
  expect(listed).toEqual([
    [
      ["11", 0],
      ["10", 1],
    ],
    [
      [GUILD, 1],
      ["", 0],
    ],
    [["12", 0]],
  ]);
  expect((await harness.scope(DEPLOYMENT).ownerUsage()).dearest.map(({ guildId }) => guildId)).toEqual([GUILD]);
});

it("a scope lists 200 servers and 200 channels, and says how many more there are", async () => {
  const harness = await withTurns(Array.from({ length: 203 }, (_, index) => [`${1000 + index}`, null, 0, 1]));
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const elsewhere = Array.from({ length: 201 }, (_, index) => `${2000 + index}`);
  await harness
    .scope(DEPLOYMENT)
    .report(elsewhere.map((guildId) => ({ turnId: guildId, userId: "42", channelId: "9", guildId, at: NOW, usage })));
  const { channels, servers, channelsLeftOut, serversLeftOut } = await harness.scope(DEPLOYMENT).inspect();
  expect([channels.length, channelsLeftOut, servers.length, serversLeftOut]).toEqual([200, 3, 200, 2]);
});

it("the home page asks only scopes and channels that have reported, and at most 30 channels", async () => {
  const many = Array.from({ length: 33 }, (_, index) => [`${100 + index}`, GUILD, index % 20, 1] as const);
  const harness = await withTurns([...many, ["14", null, 1, 1]]);
  const asked: string[] = [];
  const reader = createReader({
    scope: harness.scope,
    gateway: async () => "off",
    names: async () => ({}),
    inspected: (channel) => ({
      inspect: async ({ kind }) => {
        asked.push(`${channel} ${kind}`);
        if (channel === "100") throw new Error("gone");
        return pulse(channel);
      },
    }),
    now: () => NOW,
    logError: () => {},
  });
  const home = await reader.home();
  expect(harness.calls).toEqual(["deployment: inspect", `guild:${GUILD}: inspect`]);
  expect([asked.length, asked.slice(0, 2).sort(), asked.includes("14 pulse")]).toEqual([
    MAX_CHANNELS_ASKED,
    ["100 pulse", "120 pulse"],
    true,
  ]);
  expect(home.channelsNotAsked).toBe(4);
  expect(home.servers.map(({ guildId, channels }) => [guildId, channels.length])).toEqual([
    [GUILD, 33],
    [null, 1],
  ]);
  // A channel that can't be reached is listed without its part.
  const pulses = home.servers.flatMap(({ channels }) => channels).filter((one) => one.pulse !== null);
  expect([pulses.length, pulses.some(({ channel }) => channel === "100")]).toEqual([MAX_CHANNELS_ASKED - 1, false]);
});

it("the home page also asks new threads of the channels, and shows those in which a question was asked", async () => {
  const harness = await withTurns([["10", GUILD, 0, 1]]);
  const asked: string[] = [];
  const threads = ["10", "20", "21", "22"];
  const reader = createReader({
    scope: harness.scope,
    gateway: async () => "off",
    names: async () => ({}),
    inspected: (channel) => ({
      inspect: async () => {
        asked.push(channel);
        if (channel === "22") throw new Error("gone");
        const here = { ...pulse(channel), guildId: GUILD };
        return channel === "10"
          ? { ...here, newThreads: threads }
          : { ...here, lastTurnAt: channel === "20" ? NOW : null };
      },
    }),
    now: () => NOW,
    logError: () => {},
  });
  const { servers } = await reader.home();
  expect(asked).toEqual(["10", "20", "21", "22"]);
  expect(servers.map(({ channels }) => channels.map((one) => [one.channel, one.lastDay, one.sum.turns]))).toEqual([
    [
      ["20", "2026-11-22", 0],
      ["10", "2026-11-22", 1],
    ],
  ]);
});

it("checks ten wrong tokens per minute for each address, then refuses everything, even a right one", () => {
  const clock = { now: 0 };
  const awake: number[] = [];
  const mayTry = countTries({ clock: () => clock.now, stayAwake: (ms) => void awake.push(ms) });
  for (let count = 0; count < 10; count++) expect(mayTry("a", false)).toBe(true);
  expect([mayTry("a", false), mayTry("a", true), mayTry("b", false)]).toEqual([false, false, true]);
  // An object that leaves memory would forget them.
  expect(awake).toEqual([60_000]);
  clock.now = 59_999;
  expect(mayTry("a", true)).toBe(false);
  clock.now = 60_000;
  expect(mayTry("a", true)).toBe(true);
});

it("never counts right tokens, and lets nobody try whom it can't count", () => {
  const mayTry = countTries({ clock: () => 0, stayAwake: () => {} });
  for (let count = 0; count < 50; count++) expect(mayTry("a", true)).toBe(true);
  for (let count = 0; count < 2000; count++) expect(mayTry(`address ${count}`, false)).toBe(true);
  expect([mayTry("one more", true), mayTry("address 7", true)]).toEqual([false, true]);
});
