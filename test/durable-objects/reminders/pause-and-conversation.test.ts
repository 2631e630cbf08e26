// Tasks and reminders that come due during the owners' pause say nothing to anybody, and no number of them displaces the conversation.
import { expect, it } from "vitest";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { nextOccurrence } from "../../../src/core/time/occurrence.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import { asks, linesRead, passUntil } from "../../support/asked-and-read.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { migratedSqlite } from "../../support/node-sqlite.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const HOUR_MS = 3_600_000;
const PAUSED: LeaseAnswer = { kind: "refused", refusal: { reason: "paused" } };
const LENT: LeaseAnswer = { kind: "granted", allowance: { tokens: null, microUsd: null }, until: 1e15 };

it.each(["in memory", "in SQLite"])(
  "the model reads after a pause what was said before it, and nothing else: %s",
  async (where) => {
    let pause: LeaseAnswer = LENT;
    const open = openScopes();
    const c = createChannelHarness({
      ...(where === "in memory" ? {} : { database: migratedSqlite(migrate) }),
      scope: (name) => ({ ...open(name), lease: async () => pause }),
    });
    await asks(c, "1");
    pause = PAUSED;
    const read = readRule("every 30 minutes", c.clock.now(), "UTC");
    if (!read.ok) throw new Error(read.problem);
    const { rule } = read;
    const reminders = c.remindersFor(testRequest("9"));
    for (const key of ["a", "b", "c", "d", "e"])
      reminders.set({
        ...{ key, text: `news ${key}`, dueAt: nextOccurrence(rule, c.clock.now()) },
        repeats: { rule, every: "every 30 minutes" },
      });
    await passUntil(c, c.clock.now() + 3 * HOUR_MS);
    for (const { number } of reminders.pending()) reminders.cancel(number);
    pause = LENT;
    await asks(c, "2");
    expect(linesRead(c)).toEqual(["question 1", "answer 1", "question 2"]);
    // As many of their turns are kept as of refused questions, and none of them displaces what was read.
    c.store.prune({ turns: 2, refused: 0, messages: 100 }, 100);
    expect(c.store.sizes()).toEqual({ turns: 2, messages: 4 });
    expect(["1", "2"].map((id) => c.store.turn(id)?.status)).toEqual(["completed", "completed"]);
  },
);
