// What a scope deletes by itself, and when, even if nobody uses the bot any more.
import { expect, it } from "vitest";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const NOW = Date.UTC(2030, 5, 15, 12);
const DAY_MS = 86_400_000;
const SERVER = "guild:77";

const settle = (h: ScopeHarness) => Promise.all(h.detached.splice(0));
/** Runs the scope's alarms at their times until none is left or this many days have passed. Returns after how many days each came. */
async function ringUntil(h: ScopeHarness, scope: string, days: number): Promise<number[]> {
  const rings: number[] = [];
  for (;;) {
    const at = h.alarms.get(scope) ?? h.farAlarms.get(scope);
    if (at === undefined || at > NOW + days * DAY_MS || rings.length > 20) return rings;
    h.crash();
    h.clock.now = at;
    rings.push((at - NOW) / DAY_MS);
    await h.ring(scope);
    await settle(h);
  }
}
const monthOfAll = async (h: ScopeHarness, scope: string) => (await h.scope(scope).usage("10", "500")).all.month.turns;

it("in a server that nobody uses any more, the alarm alone deletes sums and people, and then no alarm is left", async () => {
  const h = createScopeHarness(["1"]);
  h.presence = null;
  h.clock.now = NOW;
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  await h.scope(SERVER).report([{ turnId: "1", userId: "10", channelId: "500", guildId: "77", at: NOW, usage }]);
  await settle(h);
  expect([await monthOfAll(h, SERVER), await monthOfAll(h, "deployment"), h.alarms.size]).toEqual([1, 1, 0]);
  const rings: [scope: string, days: number][] = [];
  while (h.farAlarms.size > 0 && rings.length < 20) {
    const [next] = [...h.farAlarms].sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
    if (!next) break;
    h.crash();
    h.clock.now = next[1];
    rings.push([next[0], Math.floor((next[1] - NOW) / DAY_MS)]);
    await h.ring(next[0]);
    await settle(h);
  }
  expect(rings).toEqual([
    ["deployment", 62],
    [SERVER, 62],
    [SERVER, 400],
  ]);
  expect(h.alarms.size).toBe(0);
});

it("the alarm alone deletes a wish to be forgotten, even if nobody else is known", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  await h.scope(SERVER).forgetPerson("10", "500");
  expect(await ringUntil(h, SERVER, 500)).toEqual([400.5]);
  // Turns that ended before the wish are no longer a reason to forget.
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const late = { turnId: "2", userId: "10", channelId: "501", guildId: "77", at: NOW - 2, endedAt: NOW - 1, usage };
  await h.scope(SERVER).report([late]);
  await ringUntil(h, SERVER, 401);
  expect(h.calls.filter((call) => call.includes("forget 10"))).toEqual([]);
});

it("a channel in which somebody only has a personal mode is known just as long as other channels", async () => {
  const h = createScopeHarness(["1"]);
  h.presence = null;
  h.clock.now = NOW;
  const other = (op: "about" | "keeps") => h.scope(SERVER).person({ op, userId: "10", conversation: op });
  await other("keeps");
  expect(await other("about")).toMatchObject({ otherChannels: 1 });
  expect(await ringUntil(h, SERVER, 500)).toEqual([400.5]);
  expect(await other("about")).toMatchObject({ otherChannels: 0 });
});

it("the note that somebody was notified of a refusal is deleted within two days, even if nothing is counted", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW + 0.49 * DAY_MS;
  await h.scope("deployment").mayTell("10", "1");
  await h.scope("deployment").mayTell("11", "2");
  expect(await ringUntil(h, "deployment", 500)).toEqual([0.5, 1.5]);
  expect(h.rows("deployment")).not.toContain('"10');
});
