// A turn in a server while the deployment has limits of its own: when they are checked, and what a refusal leaves behind.
import { expect, it } from "vitest";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const DEPLOYMENT = "deployment";
const NO_LIMITS = { userTurns: 0, userTokens: 0, userMicroUsd: 0, serverMicroUsd: 0 };

const scopes = (limits: Partial<ScopeHarness["moneyLimits"]>): ScopeHarness => {
  const h = createScopeHarness(["1"]);
  h.moneyLimits = { microUsdPerDay: 0, microUsdPerMonth: 0, ...limits };
  return h;
};
const lease = (turnId: string, { limits = NO_LIMITS } = {}) => ({
  ...{ turnId, userId: "10", guildId: "77", limits },
  ...{ spent: { tokens: 0, microUsd: 0 }, estimate: { tokens: 1, microUsd: 1 } },
});

it.each([
  [{}, false],
  [{ microUsdPerDay: 1 }, true],
  [{ microUsdPerMonth: 1 }, true],
])("the deployment's limits, %o, are checked only if there are any", async (limits, isLimited) => {
  const h = scopes(limits);
  expect((await h.scope("guild:77").copy()).isLimited).toBe(isLimited);
  await h.scope("guild:77").lease(lease("1"));
  expect(h.calls.includes("deployment: lease")).toBe(isLimited);
});

it("the server lends nothing if a limit of the deployment is reached", async () => {
  const h = scopes({ microUsdPerDay: 5 });
  const limits = { ...NO_LIMITS, userTurns: 1 };
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1, microUsd: 5 };
  await h
    .scope(DEPLOYMENT)
    .report([{ turnId: "0", userId: "11", channelId: "500", guildId: null, at: h.clock.now, usage }]);
  expect(await h.scope("guild:77").lease(lease("1", { limits }))).toMatchObject({ limit: { of: "deployment" } });
  expect(await h.scope("guild:77").lease(lease("2", { limits }))).toMatchObject({ limit: { of: "deployment" } });
  h.clock.now += 86_400_000;
  expect(await h.scope("guild:77").lease(lease("3", { limits }))).toMatchObject({ kind: "granted" });
  expect(await h.scope("guild:77").lease(lease("4", { limits }))).toMatchObject({ limit: { of: "user" } });
});

it("a monthly limit includes, for a turn that runs past midnight, everything that the month has used since then", async () => {
  const h = scopes({ microUsdPerMonth: 100 });
  h.clock.now = Date.UTC(2030, 6, 10) + 60_000;
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1, microUsd: 100 };
  await h
    .scope(DEPLOYMENT)
    .report([{ turnId: "0", userId: "11", channelId: "500", guildId: null, at: h.clock.now, usage }]);
  const late = { ...lease("1"), at: h.clock.now - 120_000 };
  expect(await h.scope("guild:77").lease(late)).toMatchObject({ kind: "spent", limit: { per: "month" } });
});

it.each([
  ["day", "microUsdPerDay"],
  ["month", "microUsdPerMonth"],
])("a turn that runs past the end of its %s has the limit of the time when it began", async (_, name) => {
  const end = Date.UTC(2030, 6, 1);
  const h = scopes({ [name]: 100 });
  h.clock.now = end - 1000;
  const channel = createChannelHarness({
    scope: h.scope,
    tools: [rollDice],
    price: { input: 1, output: 1 },
    startsAt: h.clock.now,
  });
  const until = async (at: number) => {
    await channel.clock.advance(at - channel.clock.now());
    h.clock.now = channel.clock.now();
  };
  const roll = (cost: number, notation: string): ModelEvent[] => [
    {
      kind: "end",
      finishReason: "tool_calls",
      calls: [{ id: "c", name: "roll_dice", arguments: JSON.stringify({ notation }) }],
      usage: { inputTokens: cost, outputTokens: 0 },
    },
  ];
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1, microUsd: 50 };
  await h
    .scope(DEPLOYMENT)
    .report([{ turnId: "0", userId: "11", channelId: "500", guildId: null, at: end - 2000, usage }]);
  const trigger = { ...testRequest("1", "10"), guildId: "77", botIsHere: true, receivedAt: h.clock.now };
  channel.submit({ trigger, scope: { settings: {}, isLimited: true } });
  await channel.drain();
  channel.answer(roll(30, "1d6"));
  await until(end + 60_000);
  channel.answer(roll(30, "1d8"));
  await until(end + 70_000);
  expect(channel.store.turn("1")?.checkpoint).toMatchObject({
    ending: { kind: "budget_spent", of: "deployment", limit: 100, resetsAt: end },
  });
  // Turns that began since then are not refused, and no owner is notified that they are.
  expect(await h.scope("guild:77").lease(lease("2"))).toMatchObject({ kind: "granted" });
  await Promise.all(h.detached);
  expect(h.told).toEqual([]);
});
