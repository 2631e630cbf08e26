// What the inspector's queries cost an object that has 5,000 turns, over Node's own SQLite: a page of turns, one filtered by a person,
// one turn, the channel's pulse. Prints and asserts nothing, because a shared machine's times prove nothing.
import { expect, it } from "vitest";
import { openInspectedTurns } from "../../durable-objects/store/inspected-turns.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { turnIn } from "../support/store-contract.ts";

const TURNS = 5000;
const ROUNDS = 15;
/** A turn with tools has sixty such entries. */
const EVENTS = 30;
const TARGET_MS = 200;

it("the inspector's queries to an object with 5,000 turns", () => {
  const database = nodeSqlite();
  const store = openSqliteStore(database);
  store.transaction(() => {
    for (let id = 1; id <= TURNS; id++) {
      const events = Array.from({ length: EVENTS }, (_, at) => ({ at, what: "tool", detail: "x".repeat(100) }));
      const turn = turnIn("finished", String(id));
      const userId = String(id % 40);
      store.insertTurn({
        ...turn,
        createdAt: id,
        status: "completed",
        events,
        request: { ...turn.request, guildId: "9", userId },
      });
      const said = {
        turnId: turn.id,
        text: "An answer of some length. ".repeat(20),
        details: "",
        calls: [],
        native: null,
      };
      store.addMessage({ ...said, role: "user" });
      const call = { at: id, ms: 5, model: "m", firstMs: 1, outcome: "answered", usage: null, contents: null } as const;
      store.addMessage({ ...said, role: "assistant", call });
    }
  });
  const channel = createChannelHarness({ database });
  const filter = { userId: null, status: null };

  const median = (work: () => unknown): number => {
    const times = Array.from({ length: ROUNDS }, () => {
      const from = performance.now();
      work();
      return performance.now() - from;
    });
    return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  };
  const questions = {
    "the newest page of turns": () => channel.inspect({ kind: "turns", filter, before: null }),
    "a page in the middle": () => channel.inspect({ kind: "turns", filter, before: TURNS / 2 }),
    "a page of one person's turns": () =>
      channel.inspect({ kind: "turns", filter: { ...filter, userId: "7" }, before: null }),
    "one turn": () => channel.inspect({ kind: "turn", turnId: String(TURNS / 2) }),
    "the channel": () => channel.inspect({ kind: "channel" }),
    "its pulse": () => channel.inspect({ kind: "pulse" }),
  };
  console.log(
    `${TURNS} turns in one channel, median of ${ROUNDS}; target of a page: ${TARGET_MS} ms of the object's time`,
  );
  for (const [name, ask] of Object.entries(questions)) console.log(`${median(ask).toFixed(1).padStart(7)} ms  ${name}`);
  expect(openInspectedTurns(database).page(filter, null, TURNS)).toHaveLength(TURNS);
});
