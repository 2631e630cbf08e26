// Notes about a reply's requests: they are stored with the turn's next write, need no write of their own, and are bounded.
import { expect, it } from "vitest";
import { withRequestNotes } from "../../../durable-objects/store/request-notes.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { turnIn } from "../../support/store-contract.ts";

const request = (at: number) => ({ at, ms: 5, method: "edit", status: 200, waitMs: 0 }) as const;

function open() {
  const inner = memoryStore();
  let writes = 0;
  const counted = {
    ...inner,
    saveTurn(turn: Parameters<typeof inner.saveTurn>[0]) {
      writes++;
      inner.saveTurn(turn);
    },
  };
  return { inner, store: withRequestNotes(counted), writes: () => writes };
}

it("are stored with the next write, whoever makes it, and cause none", () => {
  const { inner, store, writes } = open();
  const turn = turnIn("running", "1");
  store.insertTurn(turn);
  store.noteRequest("1", request(1));
  store.noteRequest("1", request(2));
  expect([writes(), inner.turn("1")?.requests, store.requestsOf(turn).kept.length]).toEqual([0, undefined, 2]);
  // A writer that has not seen them removes none.
  store.saveTurn({ ...turn, iteration: 1 });
  store.saveTurn({ ...turn, iteration: 2 });
  expect(inner.turn("1")?.requests).toEqual({ kept: [request(1), request(2)], leftOut: 0 });
});

it("continue in the next life from where the last one stored them", () => {
  const { inner, store } = open();
  store.insertTurn(turnIn("closing", "1"));
  store.noteRequest("1", request(1));
  store.saveTurn(turnIn("closing", "1"));
  store.noteRequest("1", request(2));
  const next = withRequestNotes(inner);
  next.noteRequest("1", request(3));
  next.saveTurn({ ...(next.turn("1") ?? turnIn("closing", "1")), state: "finished" });
  expect(inner.turn("1")?.requests?.kept.map(({ at }) => at)).toEqual([1, 3]);
});

it("end with the turn: what follows its reply is not part of it", () => {
  const { store } = open();
  store.insertTurn(turnIn("closing", "1"));
  store.noteRequest("1", request(1));
  store.saveTurn(turnIn("finished", "1"));
  store.noteRequest("1", request(2));
  store.noteRequest("404", request(3));
  expect(store.requestsOf(store.turn("1") ?? turnIn("finished", "1")).kept.map(({ at }) => at)).toEqual([1]);
});

it("keep the first twenty and the newest, a hundred in total, and count the rest", () => {
  const { store } = open();
  store.insertTurn(turnIn("running", "1"));
  for (let at = 1; at <= 130; at++) store.noteRequest("1", request(at));
  const { kept, leftOut } = store.requestsOf(turnIn("running", "1"));
  expect([kept.length, leftOut, kept[0]?.at, kept[19]?.at, kept[20]?.at, kept.at(-1)?.at]).toEqual([
    100, 30, 1, 20, 51, 130,
  ]);
});
