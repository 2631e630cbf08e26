// The ledger's fence: a result counts only while its life owns the turn and nobody has asked to end the turn.
import { describe, expect, it } from "vitest";
import { createTurnLedger } from "../../../durable-objects/turn/turn-ledger.ts";
import type { StopFlag } from "../../../src/core/state/record.ts";
import { buildCallPlace } from "../../../src/turn/tool-context.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { row, turnIn } from "../../support/store-contract.ts";

const RESULT = { ok: true, status: "ok", data: "sent" } as const;
const CALL = { messageSeq: 1, position: 0, call: { id: "c", name: "send", arguments: "{}" } };

/** A turn that runs in the first life and has launched its only call. */
function launchedCall() {
  const store = memoryStore();
  const fence = { turnId: "1", instance: "life 1", epoch: 1 };
  store.saveLock({ ...store.lock(), ...fence });
  store.insertTurn({ ...turnIn("running", "1"), instance: "life 1", epoch: 1 });
  const ledger = createTurnLedger(store, fence, (row) => {
    store.putLedgerRow(row);
    return true;
  });
  const callPlace = buildCallPlace("1", CALL);
  const entry = { key: callPlace, callPlace, turnId: "1", tool: "send", args: "{}" };
  ledger.open(entry, { callId: "c", at: 0, deadlineAt: 1000 });
  const turn = () => store.turn("1") ?? turnIn("running", "1");
  return {
    store,
    turn,
    settle: () => ledger.settle(entry, RESULT),
    kept: () => [store.ledgerRow(1, 0)?.result ?? null, ledger.hasSettled(CALL)],
  };
}

describe("a call's result", () => {
  it("is stored while its life owns the turn", () => {
    const { settle, kept } = launchedCall();
    expect(settle()).toBe(true);
    expect(kept()).toEqual([JSON.stringify(RESULT), true]);
  });

  it.each<StopFlag["kind"]>(["stop", "kill", "follow_up"])(
    "that arrives after a %s is discarded: its call stays open, and nothing marks it as settled",
    (kind) => {
      const { store, turn, settle, kept } = launchedCall();
      store.saveTurn({ ...turn(), stop: { kind, by: "7", byName: "Theo", at: 0 } });
      expect(settle()).toBe(false);
      expect(kept()).toEqual([null, false]);
    },
  );

  it.each([
    ["another life has taken the turn over", { instance: "life 2", epoch: 2 }],
    ["the same life has started over", { epoch: 2 }],
    ["the turn has ended and another one runs", { turnId: "2" }],
  ])("is discarded when %s", (_, lock) => {
    const { store, settle, kept } = launchedCall();
    store.saveLock({ ...store.lock(), ...lock });
    expect(settle()).toBe(false);
    expect(kept()).toEqual([null, false]);
  });
});

it("a call of a later model gets an earlier model's result once for each time that the earlier one made the call, and never one of its own", () => {
  const store = memoryStore();
  store.insertTurn({ ...turnIn("running", "1"), modelIndex: 1 });
  const ledger = createTurnLedger(store, { turnId: "1", instance: "life 1", epoch: 1 }, () => true);
  const ran = (seq: number, modelIndex: number) =>
    store.putLedgerRow({
      ...row(seq, 0, JSON.stringify({ ...RESULT, data: `of ${modelIndex}` })),
      turnId: "1",
      modelIndex,
    });
  const { tool, args } = row(1, 0, null);
  const entry = { key: "k", callPlace: "k", turnId: "1", tool, args };
  ran(1, 0);
  expect(ledger.settledBefore(entry)).toEqual({ ...RESULT, data: "of 0" });
  ran(2, 1);
  expect(ledger.settledBefore(entry)).toBeNull();
});

it("a call of a later model doesn't run if an earlier model launched the same call and its result could not be stored", () => {
  const store = memoryStore();
  store.insertTurn({ ...turnIn("running", "1"), modelIndex: 1 });
  const ledger = createTurnLedger(store, { turnId: "1", instance: "life 1", epoch: 1 }, () => true);
  const launched = row(1, 0, null);
  store.putLedgerRow({ ...launched, turnId: "1", modelIndex: 0 });
  const entry = { key: "k", callPlace: "k", turnId: "1", tool: launched.tool, args: launched.args };
  expect(ledger.settledBefore(entry)).toMatchObject({ ok: false, status: "interrupted" });
});
