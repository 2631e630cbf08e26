// A life's memory of its storage equals what is stored. The store's contract, which runs over this memory too, covers most of it.
import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import { remembering } from "../../../durable-objects/store/remembering.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import type { ChannelStore } from "../../../src/channel/store.ts";
import { newTurn, type TurnRecord } from "../../../src/core/state/record.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";

it("settings are read again when they have changed, and not when the change failed", () => {
  const store = remembering(memoryStore());
  const looks: unknown[] = [];
  const look = () => looks.push({ ...store.settings(), ...store.parentSettings() });
  look();
  store.putSetting("notices", "false");
  store.saveParentSettings({ private: "true" });
  look();
  const failing = () =>
    store.transaction(() => {
      store.putSetting("notices", null);
      store.saveParentSettings({});
      look();
      throw new Error("in the middle");
    });
  expect(failing).toThrow("in the middle");
  look();
  const changed = { notices: "false", private: "true" };
  expect(looks).toEqual([{}, changed, {}, changed]);
});

it("a turn's request is read once, and again after the turn was written, forgotten or rolled back", () => {
  const stored = memoryStore();
  let reads = 0;
  const store = remembering({
    ...stored,
    recallAsked(id) {
      reads++;
      return stored.recallAsked(id);
    },
  });
  const asked = { ...newTurn(testRequest("1"), "finished", 0, 0), endedAt: 1 };
  const looks: unknown[] = [];
  const look = () => looks.push([store.recallAsked("1")?.quoted, store.recallAsked("1")?.quoted, reads]);
  const quoting = (quoted: string) => ({ ...asked, request: { ...asked.request, quoted } });
  store.insertTurn(quoting("> one"));
  look();
  store.saveTurn(quoting("> two"));
  look();
  const failing = () =>
    store.transaction(() => {
      store.saveTurn(quoting("> three"));
      look();
      throw new Error("in the middle");
    });
  expect(failing).toThrow("in the middle");
  look();
  store.forgetPerson(asked.request.userId);
  looks.push(store.recallAsked("1"));
  expect(looks).toEqual([
    ["> one", "> one", 1],
    ["> two", "> two", 2],
    ["> three", "> three", 3],
    ["> two", "> two", 4],
    null,
  ]);
});

const STATES = ["queued", "running", "parked", "closing", "finished", "refused"] as const;
const SUMMARY = { text: "", messages: 1, fromSeq: 1, toSeq: 1, at: 1, users: [], model: "m", tokens: 1 };
const QUIET = { kind: "send", ending: { kind: "completed", silent: true }, chars: 0 } as const;

/** One write in a channel with four turns, in any order. As in a real channel, at most one turn runs. */
const write = record({
  what: constantFrom("turn", "turn", "save", "message", "message", "lock", "fails", "forget", "forget all", "summary"),
  id: constantFrom("1", "2", "3", "4"),
  state: constantFrom(...STATES),
  how: constantFrom("plain", "private", "silent", "forgotten", "catch-up", "steers"),
  place: integer({ min: 0, max: 2 }),
  number: integer({ min: 0, max: 3 }),
  isSeen: boolean(),
  owner: constantFrom(null, null, null, "10"),
});
type Write = Parameters<Parameters<typeof write.map>[0]>[0];

function turnOf({ id, state, how, place, number }: Write): TurnRecord {
  const request = {
    ...testRequest(id),
    ...(how === "private" && { privateTo: "10" }),
    ...(how === "catch-up" && { catchUp: { hours: 1 } }),
  };
  return {
    ...newTurn(request, state === "running" && id !== "1" ? "queued" : state, place, number),
    ...(how === "silent" && { checkpoint: QUIET }),
    ...(how === "forgotten" && { forgotten: true as const }),
    steers: how === "steers" ? "1" : null,
  };
}

function perform(store: ChannelStore, one: Write): void {
  const { what, id, number } = one;
  const turn = turnOf(one);
  if (what === "save" || (what === "turn" && store.turn(id))) store.saveTurn(turn);
  else if (what === "turn") store.insertTurn(turn);
  if (what === "message")
    store.addMessage({ turnId: id, role: "user", text: `${number}`, details: "", calls: [], native: null });
  if (what === "lock") store.saveLock({ ...store.lock(), epoch: number });
  if (what === "summary") store.saveSummary({ ...SUMMARY, text: `${number}` });
  if (what === "forget") store.forgetTurn(id);
  if (what === "forget all") store.forgetTranscript();
  if (what !== "fails") return;
  const failing = () => {
    for (const what of ["turn", "message", "lock"] as const) perform(store, { ...one, what });
    look(store, one);
    throw new Error("in the middle");
  };
  expect(() => store.transaction(failing)).toThrow("in the middle");
}

const look = (store: ChannelStore, { owner }: Pick<Write, "owner">) => [
  store.state(),
  store.steering("1"),
  store.summary(),
  store.messagesInTurn("1"),
  ...["", "2"].flatMap((id) => [3, 1, 25].map((rows) => store.messagesBefore(id, rows, owner))),
];

it("whatever was written, a read finds what is stored", () => {
  assert(
    property(array(write, { maxLength: 25 }), (writes) => {
      const stored = openSqliteStore(nodeSqlite());
      const store = remembering(stored);
      for (const one of writes) {
        perform(store, one);
        if (one.isSeen) expect(look(store, one)).toEqual(look(stored, one));
      }
    }),
    { numRuns: 300 },
  );
});

it("a transcript has the requested length, even without a turn that has much of it, and contains nothing forgotten", () => {
  const stored = openSqliteStore(nodeSqlite());
  const store = remembering(stored);
  const ended = (id: string) => newTurn(testRequest(id), "closing", 0, 0);
  store.state();
  for (const id of ["1", "2"]) {
    store.insertTurn(ended(id));
    for (let at = 0; at < 30; at++)
      store.addMessage({ turnId: id, role: "user", text: `${id}.${at}`, details: "", calls: [], native: null });
  }
  const look = (from: ChannelStore) =>
    [1, 5, 40].flatMap((rows) => ["", "1", "2"].map((without) => from.messagesBefore(without, rows, null)));
  expect(look(store)).toEqual(look(stored));
  store.saveTurn({ ...ended("1"), forgotten: true });
  expect(look(store)).toEqual(look(stored));
});

it("unfinished turns and the transcript are read once in a life, and again when another life has written the lock", () => {
  const stored = memoryStore();
  const reads = { state: 0, messages: 0 };
  const counted: ChannelStore = {
    ...stored,
    state() {
      reads.state++;
      return stored.state();
    },
    messagesBefore(...where) {
      reads.messages++;
      return stored.messagesBefore(...where);
    },
  };
  const store = remembering(counted);
  const running = newTurn(testRequest("1"), "running", 0, 0);
  const looks: unknown[] = [];
  const see = () => looks.push([store.state().queue.length, store.messagesBefore("3", 9, null).length, { ...reads }]);
  see();
  store.insertTurn(running);
  store.saveLock({ ...store.lock(), turnId: "1", epoch: 1 });
  store.insertTurn(newTurn(testRequest("2"), "queued", 1, 0));
  store.saveTurn({ ...running, iteration: 1 });
  see();
  store.messagesInTurn("1");
  store.addMessage({ turnId: "1", role: "user", text: "go", details: "", calls: [], native: null });
  store.saveTurn({ ...running, state: "closing" });
  see();
  stored.saveTurn(newTurn(testRequest("2"), "refused", 1, 0));
  stored.saveLock({ ...stored.lock(), epoch: 2 });
  see();
  expect(looks).toEqual([
    [0, 0, { state: 1, messages: 1 }],
    [1, 0, { state: 1, messages: 1 }],
    [1, 1, { state: 1, messages: 1 }],
    [0, 1, { state: 2, messages: 1 }],
  ]);
});

it("a turn that ends after others have begun and ended is listed in the order in which everything was said", () => {
  const store = remembering(memoryStore());
  const say = (turnId: string, text: string) =>
    store.addMessage({ turnId, role: "user", text, details: "", calls: [], native: null });
  const turn = (id: string, state: TurnRecord["state"]) => newTurn(testRequest(id), state, 0, 0);
  // From here on the open turns are in memory, and so is the transcript.
  store.state();
  store.insertTurn(turn("1", "running"));
  say("1", "first");
  store.insertTurn(turn("2", "finished"));
  say("2", "second");
  say("2", "third");
  say("1", "fourth");
  const words = () => store.messagesBefore("9", 9, null).map(({ text }) => text);
  expect([words(), store.messagesInTurn("1").length]).toEqual([["second", "third"], 2]);
  store.saveTurn(turn("1", "finished"));
  expect(words()).toEqual(["first", "second", "third", "fourth"]);
});
