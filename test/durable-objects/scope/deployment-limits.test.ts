// A turn in a server while the deployment has limits of its own: when they are asked for, and what a refusal leaves.
import { expect, it } from "vitest";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

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
])("the deployment's limits, %o, are asked for only where there are any", async (limits, isLimited) => {
  const h = scopes(limits);
  expect((await h.scope("guild:77").copy()).isLimited).toBe(isLimited);
  await h.scope("guild:77").lease(lease("1"));
  expect(h.calls.includes("deployment: lease")).toBe(isLimited);
});

it("where a limit of the deployment is reached, the server lends nothing", async () => {
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
