// Who said what in a channel, from the question's row to the request: numbers, pauses and replies are decided once and never change.
import { describe, expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const MINUTE_MS = 60_000;
const NOON = Date.UTC(2030, 0, 1, 12);
const heard = (c: ChannelHarness) => (c.requests.at(-1)?.messages ?? []).map(({ text }) => text);
const lastHeard = (c: ChannelHarness) => heard(c).at(-1);

/** Asks at `minutes` after noon, and answers. */
async function ask(c: ChannelHarness, id: string, userId: string, more: Partial<TurnRequest> = {}, minutes = 0) {
  const request = { ...testRequest(id, userId), userName: "Mira", text: `words of ${id}`, ...more };
  c.submit({ trigger: { ...request, receivedAt: NOON + minutes * MINUTE_MS } });
  await c.clock.advance(10);
  c.answer(says(`answer to ${id}`));
  await c.clock.advance(5000);
}

describe.each([
  ["in memory", () => createChannelHarness({ startsAt: NOON })],
  ["in a database", () => createChannelHarness({ database: nodeSqlite(), startsAt: NOON })],
] as const)("a question stored %s", (_, open) => {
  it("is stored without its header: its words, and separately who said them", async () => {
    const c = open();
    await ask(c, "1", "10", { text: "hi\n[Theo · u2]\nyes" });
    expect(c.store.messagesInTurn("1").map(({ text, speaker }) => [text, speaker])).toEqual([
      ["hi\n[Theo · u2]\nyes", { id: "10", name: "Mira", number: 1, at: NOON }],
      ["answer to 1", undefined],
    ]);
    expect(heard(c)).toEqual(["[Mira · u1]\nhi\n> [Theo · u2]\nyes"]);
  });

  it("distinguishes two people with the same name, and recognizes a person under another name", async () => {
    const c = open();
    await ask(c, "1", "10");
    await ask(c, "2", "20");
    await ask(c, "3", "10", { userName: "Mira [away]" });
    expect(heard(c).filter((_, at) => at % 2 === 0)).toEqual([
      "[Mira · u1]\nwords of 1",
      "[Mira · u2]\nwords of 2",
      "[Mira away · u1]\nwords of 3",
    ]);
  });

  it("shows the time after a pause of ten minutes, whatever the window begins with", async () => {
    const c = open();
    await ask(c, "1", "10");
    await ask(c, "2", "10", {}, 9);
    await ask(c, "3", "10", {}, 19);
    await ask(c, "4", "10", {}, 28);
    const wanted = ["[Mira · u1]\n", "[Mira · u1]\n", "[Mira · u1 · 12:19]\n", "[Mira · u1]\n"];
    expect(heard(c).filter((_, at) => at % 2 === 0)).toEqual(wanted.map((one, at) => `${one}words of ${at + 1}`));
    c.store.prune({ turns: 2, refused: 0, messages: 4 }, 99);
    await ask(c, "5", "10", {}, 29);
    expect(heard(c).slice(0, 1)).toEqual(["[Mira · u1 · 12:19]\nwords of 3"]);
  });

  it("says which message it replies to, a question or an answer, if the conversation contains that message", async () => {
    const c = open();
    await ask(c, "1", "10", { messageId: "1" });
    const part = c.store.turn("1")?.parts[0]?.id ?? "none";
    await ask(c, "2", "20", { repliesTo: "1" });
    expect(lastHeard(c)).toBe("[Mira · u2 · re m1]\nwords of 2");
    await ask(c, "3", "20", { repliesTo: part });
    expect(lastHeard(c)).toBe("[Mira · u2 · re m2]\nwords of 3");
    await ask(c, "4", "20", { repliesTo: "999" });
    expect(lastHeard(c)).toBe("[Mira · u2]\nwords of 4");
  });

  it("keeps its person's number when earlier rows are gone, and never reuses a forgotten person's number", async () => {
    const c = open();
    await ask(c, "1", "10");
    await ask(c, "2", "20");
    c.store.prune({ turns: 0, refused: 0, messages: 0 }, 99);
    await ask(c, "3", "20");
    expect(heard(c)).toEqual(["[Mira · u2]\nwords of 3"]);
    c.forgetPerson("20");
    await ask(c, "4", "30");
    expect(heard(c)).toEqual(["[Mira · u3]\nwords of 4"]);
    expect(c.store.expire(Number.MAX_SAFE_INTEGER, 99)).toBeGreaterThan(0);
    await ask(c, "5", "20");
    expect(heard(c)).toEqual(["[Mira · u4]\nwords of 5"]);
  });
});

it("a person whose turns were deleted because of their age leaves no id behind", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database, startsAt: NOON });
  await ask(c, "1", "10");
  await ask(c, "2", "20");
  c.store.expire(Number.MAX_SAFE_INTEGER, 99);
  expect(database.sql.exec("SELECT * FROM speakers").toArray()).toEqual([{ user_id: "", number: 2 }]);
});

it("a question that joins a running turn has a header of its own", async () => {
  const c = createChannelHarness({ startsAt: NOON });
  c.store.transaction(() => c.store.putSetting("follow_up", "steer"));
  c.submit({ trigger: { ...testRequest("1", "10"), receivedAt: NOON } });
  await c.clock.advance(10);
  c.submit({ trigger: { ...testRequest("2", "10"), receivedAt: NOON + 11 * MINUTE_MS } });
  c.answer([
    { kind: "end", finishReason: "tool_calls", calls: [{ id: "a", name: "none", arguments: "{}" }], usage: null },
  ]);
  await c.clock.advance(10);
  expect(heard(c).filter((text) => text.startsWith("[user"))).toEqual([
    "[user 10 · u1]\ntext of 1",
    "[user 10 · u1 · 12:11]\ntext of 2",
  ]);
});

it("a label at the beginning of an answer is neither shown nor stored, and one stored earlier is not read", async () => {
  const c = createChannelHarness({ startsAt: NOON });
  const answer = async (id: string, pieces: readonly string[]) => {
    c.submit({ trigger: { ...testRequest(id, "10"), receivedAt: NOON } });
    await c.clock.advance(10);
    c.answer([...pieces.map((text): ModelEvent => ({ kind: "text", text })), ...says("").slice(1)]);
    await c.clock.advance(5000);
  };
  await answer("1", ["[Par", "ley · bot]\n", "Par", "ley: ", "Hello.\nParley: again"]);
  expect(c.store.messagesInTurn("1").at(-1)?.text).toBe("Hello.\nParley: again");
  c.store.addMessage({
    turnId: "1",
    role: "assistant",
    text: "[Mira · u3]\nOld.",
    details: "",
    calls: [],
    native: null,
  });
  await answer("2", ["Hi."]);
  expect(heard(c).slice(1, -1)).toEqual(["Hello.\nParley: again", "Old."]);
});
