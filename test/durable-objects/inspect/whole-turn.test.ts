// What the inspector shows of one turn: its waits, the calls with and without a row, its messages, and texts that are too long.
import { expect, it } from "vitest";
import { openReminders } from "../../../durable-objects/store/reminders.ts";
import type { InspectedChannel, InspectedTurn } from "../../../src/core/state/inspected.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, says, tool } from "../../support/turn-script.ts";

const request = { ...testRequest("100"), guildId: "9", receivedAt: 1_000_000 };
const turnOf = (c: ChannelHarness) => c.inspect({ kind: "turn", turnId: "100" }) as InspectedTurn;
const stored = (c: ChannelHarness) => c.store.turn("100") ?? expect.fail("there is no such turn");

/** Makes a channel in which a question has been asked. */
async function asked(tools: Parameters<typeof createChannelHarness>[0] = {}) {
  const c = createChannelHarness({ database: nodeSqlite(), ...tools });
  c.submit({ trigger: request });
  await c.drain();
  return c;
}

it("each wait for an approval ends the next time that the turn continues", async () => {
  const c = await asked();
  const what = ["parked", "went on", "parked", "went on"];
  c.store.saveTurn({ ...stored(c), events: what.map((one, index) => ({ at: 1000 * 2 ** index, what: one })) });
  expect(turnOf(c).waits).toEqual([
    { kind: "approval", at: 1000, ms: 1000 },
    { kind: "approval", at: 4000, ms: 4000 },
  ]);
});

it("a wait for an approval whose end is missing from a long timeline is not shown, because nobody knows how long it was", async () => {
  const c = await asked();
  const what = ["parked", "entries_left_out", "tool", "parked", "went on", "ended"];
  const events = what.map((one, index) => ({ at: 1000 * (index + 1), what: one }));
  c.store.saveTurn({ ...stored(c), state: "finished", endedAt: 6000, events });
  expect(turnOf(c).waits).toEqual([{ kind: "approval", at: 4000, ms: 1000 }]);
});

it("each call is listed once, with or without a row, and begins when its answer was complete", async () => {
  const c = await asked({
    tools: [
      tool("write", () => ({ ok: true, data: 1 }), EFFECT),
      tool("hang", () => new Promise(() => {}), EFFECT),
      tool("look", () => new Promise(() => {})),
    ],
  });
  c.answer([end(["write"])]);
  await c.clock.advance(1000);
  expect(turnOf(c).toolCallList.map((call) => call.tool)).toEqual(["write"]);
  await c.clock.advance(300);
  c.answer([end(["hang", "look"])]);
  await c.clock.advance(1000);
  const { toolCallList } = turnOf(c);
  expect(toolCallList.map((call) => [call.tool, call.status, call.at])).toEqual([
    ["write", "ok", 1_000_000],
    ["hang", null, 1_001_300],
    ["look", null, 1_001_300],
  ]);
});

it("a call that waits for a person has not begun and took no time, even if the turn ends meanwhile", async () => {
  const hints = { readOnly: false, idempotent: false, destructive: true, openWorld: true };
  const c = await asked({ tools: [tool("purge", () => ({ ok: true, data: 1 }), { category: "dangerous", hints })] });
  c.answer([end(["purge"])]);
  await c.clock.advance(5000);
  const line = () => turnOf(c).toolCallList.map(({ at, ms, status }) => ({ at, ms, status }));
  expect(stored(c).state).toBe("parked");
  expect(line()).toEqual([{ at: 1_005_000, ms: null, status: null }]);
  const { turnId, userId } = { turnId: "100", userId: "10" };
  c.stop({ interactionId: "s", kind: "stop", turnId, userId, userName: "Mira", moderator: true });
  await c.clock.advance(60_000);
  expect(stored(c).status).toBe("stopped_by_user");
  expect(line()).toEqual([{ at: 1_005_000, ms: 0, status: null }]);
});

it("the sizes of a call's arguments and result are in bytes, whatever they contain", async () => {
  const hang = tool("hang", () => new Promise(() => {}));
  const c = await asked({ tools: [tool("write", () => ({ ok: true, data: "日本" }), EFFECT), hang] });
  const args = '{"city":"日本"}';
  c.answer([
    { ...end(["write"]), calls: ["write", "hang"].map((name) => ({ id: name, name, arguments: args })) } as never,
  ]);
  await c.clock.advance(1000);
  const [written, hanging] = turnOf(c).toolCallList;
  const [row] = c.store.ledgerRowsFor(written?.messageSeq ?? 0);
  expect(row?.result).toContain("日本");
  expect(written?.resultBytes).toBe(Buffer.byteLength(row?.result ?? ""));
  expect([hanging?.arguments, hanging?.argumentBytes]).toEqual([args, 17]);
});

it.each([
  [8000, 8000],
  [8001, 8001],
])("of %i characters it shows at most 8000, and a sign if there are more", async (length, chars) => {
  const c = await asked();
  c.answer(says("x".repeat(length)) as never);
  await c.clock.advance(20_000);
  const row = turnOf(c).rows.at(-1);
  expect([row?.chars, row?.text]).toEqual([chars, "x".repeat(8000) + (length > 8000 ? "…" : "")]);
});

it.each([
  ["full", true],
  ["partial", false],
  [undefined, false],
])("with the taint %s, whether it has read strangers' words is %s", async (taint, isTainted) => {
  const c = await asked();
  c.store.saveTurn({ ...stored(c), ...(taint && { taint: taint as never }) });
  expect(turnOf(c).isTainted).toBe(isTainted);
});

it("shows for each message whether Discord has it", async () => {
  const c = await asked();
  const part = { content: "a", endsAt: 1 };
  c.store.saveTurn({
    ...stored(c),
    parts: [
      { ...part, id: "7", state: "sent" },
      { ...part, id: null, state: "sending" },
    ] as never,
  });
  expect(turnOf(c).messages).toEqual([
    { id: "7", isSent: true },
    { id: null, isSent: false },
  ]);
});

it("a channel's reminders show which recur and which are paused", async () => {
  const database = nodeSqlite();
  const c = await asked({ database });
  const reminders = c.remindersFor(request);
  const wanted = { text: "tea", dueAt: 2_000_000 };
  reminders.set({ key: "a", ...wanted });
  const repeats = { every: "every hour", rule: { unit: "ms", every: 3_600_000, from: 0 } } as const;
  for (const key of ["b", "c"]) reminders.set({ key, ...wanted, repeats });
  openReminders(database).reschedule(3, 2_000_000, { ...repeats, failures: 3, isPaused: true });
  const { reminders: listed } = c.inspect({ kind: "channel" }) as InspectedChannel;
  expect(listed.map(({ number, isRecurring, isPaused }) => [number, isRecurring, isPaused])).toEqual([
    [1, false, false],
    [2, true, false],
    [3, true, true],
  ]);
});

it("the model's thoughts are kept after the turn has ended, and are deleted with its words", async () => {
  const c = await asked({ tools: [tool("look", () => ({ ok: true, data: 1 }))] });
  c.answer([{ kind: "reasoning", text: "I should look." }, end(["look"])]);
  await c.clock.advance(1000);
  expect(turnOf(c)).toMatchObject({ state: "running", thoughts: "I should look." });
  c.answer([{ kind: "reasoning", text: "It is a lamp." }, { kind: "text", text: "A lamp." }, end()]);
  await c.clock.advance(10_000);
  expect(turnOf(c)).toMatchObject({ state: "finished", thoughts: "It is a lamp." });
  c.reset();
  expect(turnOf(c).thoughts).toBeNull();
});

it("the model's thoughts for a private answer are not kept", async () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  c.submit({ trigger: { ...request, guildId: null } });
  await c.drain();
  c.answer([{ kind: "reasoning", text: "It is a lamp." }, { kind: "text", text: "A lamp." }, end()]);
  await c.clock.advance(10_000);
  const turn = stored(c);
  expect(turn.state).toBe("finished");
  expect(turn.thoughts).toBeUndefined();
});
