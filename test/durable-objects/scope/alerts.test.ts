// How owners are notified of failures that only they can fix, and how often.
import { expect, it } from "vitest";
import type { OwnerAlert } from "../../../src/core/access/scope-rpc.ts";
import { alertText } from "../../../src/core/copy/owner-alerts.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const DEPLOYMENT = "deployment";
const NOW = Date.UTC(2030, 5, 15, 23);
const NO_CREDIT: OwnerAlert = { kind: "no_credit", channelId: "500" };
const SPENT: OwnerAlert = { kind: "day_spent", channelId: "500", limit: 5_000_000, resetsAt: NOW };

const deployment = (changes: Partial<ScopeHarness> = {}): ScopeHarness => {
  const h = Object.assign(createScopeHarness(["1", "2"]), changes);
  h.clock.now = NOW;
  return h;
};
async function alert(h: ScopeHarness, ...alerts: OwnerAlert[]): Promise<void> {
  for (const one of alerts) await h.scope(DEPLOYMENT).alert(one);
  await Promise.all(h.detached.splice(0));
}

it("every owner is notified of a kind of failure once a day, whatever dies in between, and again the next day", async () => {
  const h = deployment();
  await alert(h, NO_CREDIT, NO_CREDIT);
  h.crash();
  await alert(h, { ...NO_CREDIT, channelId: "501" });
  expect(h.told).toEqual([
    { userId: "1", text: alertText(NO_CREDIT), nonce: "a0151" },
    { userId: "2", text: alertText(NO_CREDIT), nonce: "a0152" },
  ]);
  h.clock.now += 3_600_000;
  await alert(h, NO_CREDIT);
  expect(h.told.map(({ nonce }) => nonce)).toEqual(["a0151", "a0152", "a0161", "a0162"]);
});

it("kinds are distinguished, and no nonce is longer than Discord accepts", async () => {
  const h = Object.assign(createScopeHarness(["12345678901234567890"]), { clock: { now: NOW } });
  await alert(h, NO_CREDIT, SPENT, { ...SPENT, kind: "month_spent" });
  const nonces = h.told.map(({ nonce }) => nonce);
  expect([new Set(nonces).size, Math.max(...nonces.map(({ length }) => length))]).toEqual([3, 24]);
});

it("owners are notified once that another model answers, unless they know of something worse, and still hear of anything worse", async () => {
  const ANSWERED: OwnerAlert = { ...NO_CREDIT, isAnswered: true };
  const h = deployment();
  await alert(h, ANSWERED, ANSWERED, NO_CREDIT, ANSWERED);
  expect(h.told.filter(({ userId }) => userId === "1").map(({ text }) => text)).toEqual([
    alertText(ANSWERED),
    alertText(NO_CREDIT),
  ]);
  expect(new Set(h.told.map(({ nonce }) => nonce)).size).toBe(4);
  expect(alertText(ANSWERED)).toContain("out of credit, so only my other models work. ");
  const worse = deployment();
  await alert(worse, NO_CREDIT, ANSWERED);
  expect(worse.told.length).toBe(2);
});

it("an owner who accepts no direct messages causes a line in the log, and the other owners are still notified", async () => {
  const h = deployment({ discordRefuses: true });
  await alert(h, NO_CREDIT, NO_CREDIT);
  expect([h.told.length, h.errors]).toEqual([
    2,
    ["the owners need to act", "an owner could not be notified", "an owner could not be notified"],
  ]);
});

it("without a bot token there is only the line in the log", async () => {
  const h = deployment({ hasToken: false });
  await alert(h, NO_CREDIT);
  expect([h.told, h.errors]).toEqual([[], ["the owners need to act"]]);
});
