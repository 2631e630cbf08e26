// Recurring tasks that have nothing to report: nobody reads their turns, so these must not displace the conversation.
import { expect, it } from "vitest";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import { KEPT_REFUSED, KEPT_TURNS, PRUNING_DELAY_MS } from "../../../src/core/limits.ts";
import type { Ending } from "../../../src/core/state/ending.ts";
import { asks, linesRead } from "../../support/asked-and-read.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { migratedSqlite } from "../../support/node-sqlite.ts";
import { said, turnIn } from "../../support/store-contract.ts";

const NOTHING: Ending = { kind: "completed", silent: true };
/** Days on which rows are pruned, and how often tasks come in between. */
const DAYS = 6;
const TIMES = KEPT_TURNS;

/** Lets a task come again and again without its answer being posted. */
function comes(c: ChannelHarness, times: number) {
  for (let time = 1; time <= times; time++) {
    const turn = turnIn("finished", String(c.clock.now() + time));
    c.store.insertTurn({ ...turn, checkpoint: { kind: "send", ending: NOTHING, chars: 16 } });
    for (const text of ["due now", "NOTHING_TO_REPORT"]) c.store.addMessage(said(turn.id, text));
  }
}

async function pruned(c: ChannelHarness) {
  c.store.saveLock({ ...c.store.lock(), housekeepingAt: c.clock.now() });
  for (let batch = 0; batch < 20 && c.store.lock().housekeepingAt !== null; batch++) {
    c.runAlarm();
    await c.clock.advance(PRUNING_DELAY_MS);
  }
}

it.each(["in memory", "in SQLite"])("a conversation outlasts any number of them: %s", async (where) => {
  const c = createChannelHarness(where === "in memory" ? {} : { database: migratedSqlite(migrate) });
  await asks(c, "1");
  for (let day = 0; day < DAYS; day++) {
    comes(c, TIMES);
    await pruned(c);
  }
  expect(c.store.sizes()).toEqual({ turns: 1 + KEPT_REFUSED, messages: 2 + 2 * KEPT_REFUSED });
  await asks(c, "2");
  expect(linesRead(c)).toEqual(["question 1", "answer 1", "question 2"]);
});
