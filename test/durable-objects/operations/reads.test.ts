// How many statements the storage runs before a question has its receipt, and before its model is called. Every channel waits for these; their
// number must not depend on the length of the conversation.
import { expect, it } from "vitest";
import type { SqliteStorage } from "../../../durable-objects/store/sqlite-storage.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text } from "../../support/turn-script.ts";

/** Asks this many questions, each answered, and counts what one more reads and writes. */
async function askAfter(questions: number): Promise<{ receipt: number; start: number }> {
  const database = nodeSqlite();
  let statements = 0;
  const sql: SqliteStorage["sql"] = {
    exec(query, ...values) {
      statements++;
      return database.sql.exec(query, ...values);
    },
  };
  const world = createChannelHarness({ database: { ...database, sql } });
  const ask = (id: number) =>
    world.submit({ trigger: { ...testRequest(String(id), String(id)), receivedAt: world.clock.now() } });
  for (let id = 1; id <= questions; id++) {
    ask(id);
    await world.drain();
    world.answer([text("Yes."), end()]);
    await world.drain();
  }
  statements = 0;
  ask(questions + 1);
  const receipt = statements;
  await world.drain();
  return { receipt, start: statements - receipt };
}

it("a question is admitted by 16 statements, and its model is called after 5 more, however long the conversation", async () => {
  expect([await askAfter(3), await askAfter(12)]).toEqual([
    { receipt: 16, start: 5 },
    { receipt: 16, start: 5 },
  ]);
});
