// A life that ends at any step of a summary: the next one finds what is stored and makes the summary, and each call that was begun counts once.
import { expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, says, TURNS_UNTIL_DUE, talk, talkOn } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { openScopes } from "../../support/scopes.ts";
import { isForSummary, textOf } from "../../support/summaries.ts";

const SUMMARY = "About: the harbour.";
const HOUR_MS = 3_600_000;

/** Makes a channel whose scope can be made unreachable. */
function channel() {
  const counted = new Map<string, TurnReport>();
  const deaf = { lease: false, report: false };
  const scope = openScopes({
    lease: () =>
      deaf.lease
        ? new Promise<LeaseAnswer>(() => {})
        : Promise.resolve({ kind: "granted", allowance: { tokens: null, microUsd: null }, until: 9e15 }),
    async report(reports) {
      if (deaf.report) return new Promise<string[]>(() => {});
      for (const report of reports) counted.set(report.turnId, report);
      return reports.map(({ turnId }) => turnId);
    },
  });
  return { c: createChannelHarness({ database: nodeSqlite(), scope }), deaf, counted };
}

type World = ReturnType<typeof channel>;

/** Lets the summarizing model answer its request. */
const answer = async (c: ChannelHarness) => {
  c.answer(says(SUMMARY));
  await c.clock.advance(10);
};

it.each<[string, (world: World) => Promise<unknown>]>([
  ["before the alarm", async () => {}],
  [
    "while the scope is asked",
    async ({ c, deaf }) => {
      deaf.lease = true;
      await alarm(c);
    },
  ],
  ["while the model is asked", ({ c }) => alarm(c)],
  [
    "while the model writes",
    async ({ c }) => {
      await alarm(c);
      c.stream([{ kind: "text", text: "About: half of i" }]);
      await c.clock.advance(10);
    },
  ],
  [
    "after the summary is stored, before its report is taken",
    async ({ c, deaf }) => {
      deaf.report = true;
      await alarm(c);
      await answer(c);
    },
  ],
])("a death %s", async (_when, until) => {
  const world = channel();
  const { c, deaf, counted } = world;
  await talkOn(c, 1, TURNS_UNTIL_DUE);
  await until(world);
  c.crash();
  Object.assign(deaf, { lease: false, report: false });
  while (await alarm(c, HOUR_MS)) await answer(c);
  expect([c.store.summary()?.text, c.store.summary()?.toSeq, c.store.lock().compaction]).toEqual([
    SUMMARY,
    14,
    undefined,
  ]);
  const asked = c.requests.filter(isForSummary).length;
  expect([...counted.values()].filter(({ userId }) => userId === "").length).toBe(asked);
  expect([c.store.hasReports(), c.alarmAt(), c.streams(), c.errors]).toEqual([false, null, 0, []]);
  await talk(c, 14, "Question 14.");
  const request = c.requests.at(-1);
  expect(request && textOf(request)).toContain(SUMMARY);
});

it("while a summary is being made, the alarm waits until the model's time limit has passed", async () => {
  const { c } = channel();
  await talkOn(c, 1, TURNS_UNTIL_DUE);
  const begun = c.clock.now();
  // The second alarm was set before the summary had begun.
  for (let time = 0; time < 2; time++) expect(await alarm(c)).toBe(true);
  expect([c.streams(), c.alarmAt()]).toEqual([1, begun + 45_000]);
});
