// A person is notified once an hour why their questions are refused, however many channels they ask in.
import { expect, it } from "vitest";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

const { theo, mira } = PEOPLE;
const DEPLOYMENT = "deployment";
const HOUR_MS = 3_600_000;

it("the deployment allows one notice an hour for each person, and repeats its answer to a repeated request, whatever dies in between", async () => {
  const h = createScopeHarness();
  const may = (userId: string, messageId: string) => h.scope(DEPLOYMENT).mayTell(userId, messageId);
  expect([await may(theo, "1"), await may(theo, "2"), await may(mira, "3")]).toEqual([true, false, true]);
  h.crash();
  expect([await may(theo, "1"), await may(theo, "4"), await may(mira, "5")]).toEqual([true, false, false]);
  h.clock.now += HOUR_MS - 1000;
  expect(await may(theo, "6")).toBe(false);
  h.clock.now += 1000;
  expect([await may(theo, "7"), await may(theo, "8")]).toEqual([true, false]);
});

it("a forgotten person is notified again, and others are not", async () => {
  const h = createScopeHarness();
  const scope = h.scope(DEPLOYMENT);
  expect([await scope.mayTell(theo, "1"), await scope.mayTell(mira, "2")]).toEqual([true, true]);
  await scope.forgetPerson(theo, "500");
  expect([await scope.mayTell(theo, "3"), await scope.mayTell(mira, "4")]).toEqual([true, false]);
});

it("nobody is remembered beyond the next day once anything is counted", async () => {
  const h = createScopeHarness();
  const scope = h.scope(DEPLOYMENT);
  await scope.mayTell(theo, "1");
  expect(h.rows(DEPLOYMENT)).toContain(theo);
  h.clock.now += 24 * HOUR_MS;
  await scope.report([]);
  expect(h.rows(DEPLOYMENT)).not.toContain(theo);
});

it("a thousand strangers leave at most five hundred entries, and the newest are known", async () => {
  const scope = createScopeHarness().scope(DEPLOYMENT);
  for (let one = 1; one <= 1000; one++) await scope.mayTell(`p${one}`, "1");
  const [oldest, newest] = ["p501", "p1000"];
  expect([await scope.mayTell(newest, "2"), await scope.mayTell(oldest, "2")]).toEqual([false, false]);
  expect(await scope.mayTell("p500", "2")).toBe(true);
});

it.each<[string, () => Promise<boolean>, direct: number, reactions: number]>([
  ["told in another channel gets the reaction", async () => false, 0, 1],
  ["refused while the scope is down hears why", () => Promise.reject(new Error("down")), 1, 0],
  ["refused while the scope is silent hears why", () => new Promise(() => {}), 1, 0],
])("a person who is %s", async (_what, mayTell, direct, reactions) => {
  const place = await createMessageHarness({ settings: { deny_users: theo } });
  place.world.mayTell = mayTell;
  place.write(theo, `${BOT} hello`);
  await place.rest();
  const requests = place.requests();
  const text = JSON.stringify(refusalText({ reason: "denied" })).slice(1, -1);
  expect(requests.filter((line) => line.includes(text)).length).toBe(direct);
  expect(requests.filter((line) => line.includes("PUT") && line.includes("⛔")).length).toBe(reactions);
});
