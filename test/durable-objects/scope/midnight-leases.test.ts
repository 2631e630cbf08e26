// Leases from before midnight (UTC), for a turn that begins after it: nothing of the new day's limits is lent yet.
import { expect, it } from "vitest";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const MIDNIGHT = Date.UTC(2030, 6, 11);
const NONE = { userTurns: 0, userTokens: 0, userMicroUsd: 0, serverMicroUsd: 0 };
const USED = { inputTokens: 50, outputTokens: 0, modelCalls: 1, microUsd: 50 };

const lease = (turnId: string, spent: number, limits: Partial<typeof NONE>) => ({
  ...{ turnId, userId: "10", guildId: "77", limits: { ...NONE, ...limits } },
  ...{ spent: { tokens: spent, microUsd: spent }, estimate: { tokens: 1, microUsd: 1 } },
});

/** Lets a turn spend 95 of 100 a minute before midnight. */
async function evening(
  limits: Partial<typeof NONE>,
  money: Partial<ScopeHarness["moneyLimits"]> = {},
  midnight = MIDNIGHT,
) {
  const h = createScopeHarness(["1"]);
  h.moneyLimits = { microUsdPerDay: 0, microUsdPerMonth: 0, ...money };
  h.clock.now = midnight - 60_000;
  const at = h.clock.now;
  expect(await h.scope("guild:77").lease({ ...lease("1", 95, limits), at })).toMatchObject({ kind: "granted" });
  h.clock.now = midnight + 60_000;
  return { h, at };
}

it.each([
  ["questions of a person", { userTurns: 1 }],
  ["tokens of a person", { userTokens: 100 }],
  ["money of a person", { userMicroUsd: 100 }],
  ["money of a server", { serverMicroUsd: 100 }],
])("counts nothing toward the new day's %s", async (_, limits) => {
  const { h } = await evening(limits);
  const [tokens, money] = ["userTokens" in limits, "userMicroUsd" in limits || "serverMicroUsd" in limits];
  expect(await h.scope("guild:77").lease(lease("2", 0, limits))).toMatchObject({
    kind: "granted",
    allowance: { tokens: tokens ? 10 : null, microUsd: money ? 10 : null },
  });
});

it("counts nothing toward the deployment's new day, and everything toward its month", async () => {
  const day = await evening({}, { microUsdPerDay: 100 });
  expect(await day.h.scope("guild:77").lease(lease("2", 0, {}))).toMatchObject({ allowance: { microUsd: 10 } });
  const month = await evening({}, { microUsdPerMonth: 100 });
  expect(await month.h.scope("guild:77").lease(lease("2", 0, {}))).toMatchObject({ allowance: { microUsd: 1 } });
});

it("counts nothing toward the deployment's new month", async () => {
  const { h } = await evening({}, { microUsdPerMonth: 100 }, Date.UTC(2030, 7, 1));
  expect(await h.scope("guild:77").lease(lease("2", 0, {}))).toMatchObject({ allowance: { microUsd: 10 } });
});

it("still counts for the other turns of its own day", async () => {
  const { h, at } = await evening({ userTokens: 100 });
  await h
    .scope("guild:77")
    .report([{ turnId: "0", userId: "10", channelId: "500", guildId: "77", at: at - 1000, usage: USED }]);
  const late = { ...lease("2", 0, { userTokens: 150 }), at };
  expect(await h.scope("guild:77").lease(late)).toMatchObject({ allowance: { tokens: 1 } });
});
