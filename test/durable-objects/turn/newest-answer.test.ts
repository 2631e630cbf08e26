// Which answer counts as the newest where turns overlap: the one that was said last, not the one whose question came last.
import { expect, it } from "vitest";
import { findOtherAnswers } from "../../../durable-objects/turn/newest-answer.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { said, turnIn } from "../../support/store-contract.ts";

it("an answer that waited for an approval is newer than what was said meanwhile, and its words before the wait are not older", () => {
  const store = memoryStore();
  const answered = (id: string): TurnRecord => {
    const checkpoint = { kind: "send", ending: { kind: "completed" }, chars: 5 } as const;
    const turn: TurnRecord = { ...turnIn("finished", id), checkpoint };
    store.insertTurn(turn);
    return turn;
  };
  const [waited, meanwhile] = [answered("1"), answered("2")];
  store.addMessage({ ...said("1", "Delete it all?"), role: "user" });
  store.addMessage(said("1", "I will, if I may."));
  store.addMessage({ ...said("2", "What is the time?"), role: "user" });
  store.addMessage(said("2", "Noon."));
  store.addMessage(said("1", "Deleted."));
  expect(findOtherAnswers(store, waited)).toEqual({ older: meanwhile, isNewest: true });
  expect(findOtherAnswers(store, meanwhile)).toEqual({ older: null, isNewest: false });
});
