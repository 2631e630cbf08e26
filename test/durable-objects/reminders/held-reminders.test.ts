// Reminders that come due while the owners have paused everything: the pause holds back their turns, and they come when it ends.
import { expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { reminderLine } from "../../../src/core/copy/notices.ts";
import { nextOccurrence } from "../../../src/core/time/occurrence.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { passUntil } from "../../support/asked-and-read.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const TEA: ModelEvent[] = [
  { kind: "text", text: "Tea." },
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];
const PAUSED: LeaseAnswer = { kind: "refused", refusal: { reason: "paused" } };
const LENT: LeaseAnswer = { kind: "granted", allowance: { tokens: null, microUsd: null }, until: 1e15 };
const mira = testRequest("9");

/** Makes a channel whose owners have paused everything, with one reminder an hour from now; `dueAt` is that time. */
async function paused() {
  const pause = { holds: true, asked: 0 };
  const open = openScopes();
  const channel = createChannelHarness({
    scope: (name) => ({
      ...open(name),
      async lease() {
        pause.asked++;
        return pause.holds ? PAUSED : LENT;
      },
    }),
  });
  const dueAt = channel.clock.now() + HOUR_MS;
  channel.remindersFor(mira).set({ key: "k", text: "tea", dueAt });
  await passUntil(channel, dueAt);
  return { channel, pause, dueAt };
}

const pending = ({ channel }: { channel: ChannelHarness }) => channel.remindersFor(mira).pending();
const shown = ({ channel }: { channel: ChannelHarness }) => [...channel.shown().values()].at(-1);

it("comes once after the pause, is no later than the pause was long, and says when it was due", async () => {
  const here = await paused();
  const { channel, pause, dueAt } = here;
  await passUntil(channel, dueAt + 30 * MINUTE_MS);
  expect([shown(here), channel.requests.length, pending(here).length]).toEqual([undefined, 0, 1]);
  pause.holds = false;
  await passUntil(channel, dueAt + 41 * MINUTE_MS);
  channel.answer(TEA);
  await channel.clock.advance(5000);
  expect(shown(here)).toBe(`Tea.\n\n${reminderLine({ text: "tea", dueAt }, mira.userId)}`);
  await passUntil(channel, dueAt + 2 * DAY_MS);
  expect([channel.requests.length, pending(here)]).toEqual([1, []]);
});

it("asks rarely during a pause of a month", async () => {
  const here = await paused();
  await passUntil(here.channel, here.dueAt + 30 * DAY_MS);
  expect(here.pause.asked).toBe(39);
  here.pause.holds = false;
  await passUntil(here.channel, here.dueAt + 32 * DAY_MS);
  expect(shown(here)).toContain("Reminder");
});

it("comes once even if lives of the object end meanwhile", async () => {
  const here = await paused();
  const { channel, pause, dueAt } = here;
  channel.crash();
  channel.runAlarm();
  await passUntil(channel, dueAt + 30 * MINUTE_MS);
  pause.holds = false;
  channel.crash();
  await passUntil(channel, dueAt + 41 * MINUTE_MS);
  channel.answer(TEA);
  await channel.clock.advance(5000);
  expect([shown(here)?.startsWith("Tea."), channel.requests.length, pending(here)]).toEqual([true, 1, []]);
});

it("can be canceled while the pause holds it back", async () => {
  const here = await paused();
  await passUntil(here.channel, here.dueAt + 30 * MINUTE_MS);
  expect(here.channel.remindersFor(mira).cancel(pending(here)[0]?.number ?? 0)).toBe("cancelled");
  here.pause.holds = false;
  await passUntil(here.channel, here.dueAt + DAY_MS);
  expect([shown(here), here.channel.requests.length]).toEqual([undefined, 0]);
});

it("a recurring task skips a time in the pause", async () => {
  const here = await paused();
  const { channel, dueAt } = here;
  const read = readRule("every 2 hours", channel.clock.now(), "UTC");
  if (!read.ok) throw new Error(read.problem);
  const first = nextOccurrence(read.rule, channel.clock.now());
  channel
    .remindersFor(mira)
    .set({ key: "t", text: "news", dueAt: first, repeats: { rule: read.rule, every: "every 2 hours" } });
  await passUntil(channel, dueAt + 3 * HOUR_MS);
  const task = pending(here).find(({ every }) => every !== undefined);
  expect([task?.isPaused, (task?.dueAt ?? 0) - first]).toEqual([undefined, 2 * HOUR_MS]);
});
