// What a running turn reads again before each of its requests: new results, and turns that have ended meanwhile.
import { expect, it } from "vitest";
import { fillOfWindow } from "../../../durable-objects/turn/summarizable.ts";
import { createConversation, readMessageIds } from "../../../durable-objects/turn/turn-conversation.ts";
import type { ChannelStore } from "../../../src/channel/store.ts";
import { estimateTokens } from "../../../src/core/transcript/tokens.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { row, said, turnIn } from "../../support/store-contract.ts";

const LONG = "word ".repeat(3000);

/** A finished turn in which a tool gave a long result. */
function looked(store: ChannelStore, id: string): void {
  store.insertTurn(turnIn("finished", id));
  store.addMessage({ ...said(id, `Question ${id}`), role: "user" });
  calls(store, id, JSON.stringify({ ok: true, data: `${id} ${LONG}` }));
  store.addMessage(said(id, `Answer ${id}`));
}

/** Lets the turn call a tool. `result`: the tool's result; null: it still runs. Returns the answer's number. */
function calls(store: ChannelStore, turnId: string, result: string | null): number {
  const seq = store.addMessage({ ...said(turnId, ""), calls: [{ id: `c${turnId}`, name: "look", arguments: "{}" }] });
  store.putLedgerRow({ ...row(seq, 0, result), turnId, tool: "look" });
  return seq;
}

function running(store: ChannelStore) {
  store.insertTurn(turnIn("running", "99"));
  store.addMessage({ ...said("99", "And now?"), role: "user" });
  return createConversation(store, "99");
}

it("a result that comes after a request is in the next one", () => {
  const store = memoryStore();
  const read = running(store);
  const results = () => read().current.flatMap(({ role, text }) => (role === "tool" ? [text] : []));
  const seq = calls(store, "99", null);
  expect(results()).toEqual([]);
  store.putLedgerRow({ ...row(seq, 0, JSON.stringify({ ok: true, data: "noon" })), turnId: "99", tool: "look" });
  expect(results()).toEqual(['"noon"']);
});

it("an unanswered question is read once however often it is asked again, and failed tries at another answer are not read", () => {
  const store = memoryStore();
  const asks = (id: string, text: string, more: { again?: string; replaces?: string } = {}) => {
    const turn = turnIn(id === "99" ? "running" : "finished", id);
    store.insertTurn({ ...turn, request: { ...turn.request, ...more } });
    store.addMessage({ ...said(id, text), role: "user" });
  };
  asks("1", "Why?");
  asks("2", "Why?", { again: "1" });
  asks("3", "Why?", { again: "2" });
  store.addMessage(said("3", "So."));
  asks("4", "Why?", { again: "3", replaces: "3" });
  asks("5", "Sure?");
  asks("6", "Go on.", { again: "5" });
  asks("7", "Sure?");
  asks("8", "And now?");
  const read = createConversation(store, "99");
  const texts = () => [...read().earlier, ...read().current].map(({ text }) => text);
  asks("99", "And now?", { again: "8" });
  expect(texts()).toEqual(["Why?", "So.", "Sure?", "Go on.", "Sure?", "And now?"]);
});

it("the oldest of three whole results is cut as soon as another turn has ended", () => {
  const store = memoryStore();
  for (const id of ["1", "2", "3"]) looked(store, id);
  const read = running(store);
  const whole = () => read().earlier.flatMap(({ role, text }) => (role === "tool" ? [text.includes(LONG)] : []));
  expect(whole()).toEqual([true, true, true]);
  looked(store, "4");
  expect(whole()).toEqual([false, true, true, true]);
});

it("three whole results fill a window, and results of older turns take hardly any room", () => {
  const store = memoryStore();
  for (const id of ["1", "2", "3", "4"]) looked(store, id);
  const filledBy = (results: number) =>
    fillOfWindow(store, { rows: 60, tokens: (results * estimateTokens(LONG)) / 0.75 }, null);
  expect([filledBy(2.8), filledBy(3.5)]).toEqual(["due", "room"]);
});

it("the handle of words without a speaker, such as a cue or an older program's question, leads to the reply", () => {
  const store = memoryStore();
  const turn = turnIn("running", "99");
  store.insertTurn({
    ...turn,
    request: { ...turn.request, messageId: "500" },
    enrichment: { ...turn.enrichment, metadata: true },
    parts: [{ state: "sent", id: "600" }],
  });
  const asked = { ...said("99", "And now?"), role: "user" } as const;
  store.addMessage({ ...asked, speaker: { id: "10", name: "Theo", number: 1, at: 0 } });
  store.addMessage(asked);
  store.addMessage(said("99", "Noon."));
  expect([...readMessageIds(store, "99").values()]).toEqual(["500", "600", "600"]);
});
