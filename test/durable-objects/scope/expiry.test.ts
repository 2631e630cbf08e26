// What a scope deletes by itself, and when: also where nobody uses the bot any more.
import { expect, it } from "vitest";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const NOW = Date.UTC(2030, 5, 15, 12);
const DAY_MS = 86_400_000;
const SERVER = "guild:77";

const settle = (h: ScopeHarness) => Promise.all(h.detached.splice(0));
const monthOfAll = async (h: ScopeHarness, scope: string) => (await h.scope(scope).usage("10", "500")).all.month.turns;

it("in a server that nobody uses any more, sums and people go by the alarm alone, and then no alarm is left", async () => {
  const h = createScopeHarness(["1"]);
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
