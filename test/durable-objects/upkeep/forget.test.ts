// What is deleted on request, and what is never kept: everything about a person in a channel, the words of a conversation, and the
// tokens of finished replies.
import { expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { ModelEvent, ModelRequest } from "../../../src/turn/ports.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, talkOn } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { patientDiscord } from "../../support/patient-discord.ts";
import { said, testRequest, turnIn } from "../../support/store-contract.ts";
import { isForSummary, textOf } from "../../support/summaries.ts";

const DAY_MS = 86_400_000;
const [THEO, MIRA] = ["10", "20"];
const says = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 10, outputTokens: 1 } },
];

/** Everything in the database, as text. */
function contentsOf(database: ReturnType<typeof nodeSqlite>): string {
  const rows = (query: string) => database.sql.exec(query).toArray();
  const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'memory_words_%'");
  return JSON.stringify(tables.map(({ name }) => rows(`SELECT * FROM ${name}`)));
}

async function asks(c: ChannelHarness, id: string, userId: string, more: Partial<TurnRequest> = {}) {
  c.submit({ trigger: { ...testRequest(id, userId), receivedAt: c.clock.now(), ...more } });
  await c.clock.advance(10);
  c.answer(says(`answer to ${more.text ?? id}`));
  await c.clock.advance(5000);
}

it("a forgotten person leaves nothing, and other people keep what is theirs", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  await asks(c, "1", THEO, { text: "THEOS words", userName: "THEO" });
  await asks(c, "2", MIRA, { text: "miras words" });
  const at = c.clock.now();
  c.memories().add({ text: "THEOS fact", userId: THEO, at });
  c.memories().add({ text: "miras fact", userId: MIRA, at });
  c.notes().write("THEOS plan");
  for (const [userId, text] of [
    [THEO, "THEOS tea"],
    [MIRA, "miras tea"],
  ] as const)
    c.remindersFor(testRequest("9", userId)).set({ key: userId, text, dueAt: at + DAY_MS * 2 });
  c.deliberate({ interactionId: "5", userId: THEO, change: { what: "me", userId: THEO, state: "on" } });
  const used = c.usage(THEO).used.user;
  c.submit({ trigger: { ...testRequest("3", MIRA), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  const who = { userId: THEO, userName: "THEO", moderator: true };
  c.stop({ interactionId: "6", kind: "stop", ...who, turnId: null, channelWide: false } as never);
  await c.clock.advance(5000);
  expect(c.forgetPerson(THEO)).toEqual({ messages: 2, memories: 1, reminders: 1 });
  const left = contentsOf(database);
  expect(left).not.toContain("THEO");
  for (const kept of ["miras words", "miras fact", "miras tea", "answer to miras words"]) expect(left).toContain(kept);
  expect([c.memories().find("fact", 9).length, c.store.settings()]).toEqual([1, {}]);
  // A budget can't be evaded by being forgotten.
  expect(c.usage(THEO).used.user).toEqual(used);
  await c.clock.advance(DAY_MS);
  c.forgetPerson(THEO);
  expect(Object.keys(c.store.lock().usage?.users ?? {})).toEqual([MIRA]);
  expect(c.forgetPerson(THEO)).toEqual({ messages: 0, memories: 0, reminders: 0 });
});

it.each([
  ["asked long before", 60_000],
  ["asked in the same minute", 10],
])("a forgotten person's usage of today is deleted at midnight, even if nobody asks any more: %s", async (_, ms) => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database, startsAt: DAY_MS / 2 });
  await asks(c, "1", THEO);
  await asks(c, "2", MIRA);
  await c.clock.advance(ms);
  c.forgetPerson(THEO);
  const figures = () => Object.keys(c.store.lock().usage?.users ?? {});
  expect([figures(), c.retentionAt()]).toEqual([[THEO, MIRA], DAY_MS]);
  c.crash();
  await c.clock.advance(DAY_MS - c.clock.now());
  c.runAlarm();
  expect([figures(), contentsOf(database).includes(`"${THEO}\\"`)]).toEqual([[], false]);
  expect([c.store.turn("2")?.state, c.retentionAt()]).toEqual(["finished", 30 * DAY_MS + (c.store.oldestTurn() ?? 0)]);
});

it("a thread forgets what its copy of the channel's settings contains about a person, and keeps the rest", () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  c.store.saveParentSettings({ deliberate: "on", "deliberate_me:10": "off", "deliberate_me:20": "off" });
  c.forgetPerson(THEO);
  expect(c.store.parentSettings()).toEqual({ deliberate: "on", "deliberate_me:20": "off" });
});

it("a forgotten person's reminder does not come, even if it is due and waits for another turn", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  for (const key of ["k", "l"])
    c.remindersFor(testRequest("9", THEO)).set({ key, text: "THEOS tea", dueAt: c.clock.now() + 60_000 });
  c.submit({ trigger: { ...testRequest("1", MIRA), receivedAt: c.clock.now() } });
  await c.clock.advance(60_001);
  c.runAlarm();
  expect(c.store.state().queue.length).toBe(2);
  c.forgetPerson(THEO);
  expect(contentsOf(database)).not.toContain("THEO");
  c.answer(says("Well."));
  await c.clock.advance(5000);
  expect([c.streams(), c.requests.length]).toEqual([0, 1]);
});

it("others' questions are answered when someone is forgotten, and that person's answer on its way keeps its words", () => {
  const c = createChannelHarness();
  for (const [id, userId] of [
    ["1", MIRA],
    ["2", "30"],
  ] as const)
    c.submit({ trigger: { ...testRequest(id, userId), receivedAt: c.clock.now() } });
  c.store.insertTurn({ ...turnIn("closing", "3"), request: testRequest("3", MIRA) });
  c.forgetPerson(THEO);
  const { queue, closing } = c.store.state();
  expect(queue.map(({ id, state }) => [id, state])).toEqual([["2", "queued"]]);
  expect(closing.map(({ id, forgotten }) => [id, forgotten])).toEqual([["3", undefined]]);
});

it("a reset counts every message that it deletes, including those of deleted turns", async () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer(says("Well."));
  await c.clock.advance(5000);
  c.store.addMessage(said("404", "Of a turn that is gone."));
  expect(c.reset()).toBe(3);
});

it("a reset conversation leaves no words, and Retry below an old answer says that it is gone", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now(), text: "SECRET", userName: "SECRET" } });
  await c.clock.advance(10);
  c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await c.clock.advance(5000);
  expect(contentsOf(database)).toContain("SECRET");
  c.reset();
  expect(contentsOf(database)).not.toContain("SECRET");
  const again = { turnId: "1", submission: { trigger: { ...testRequest("2"), receivedAt: c.clock.now() } } };
  expect(c.again(again)).toEqual({ kind: "refused", refusal: { reason: "forgotten" } });
});

/** Makes a channel with one answer whose last edit is on its way until `finish` is called. */
async function answering() {
  const database = nodeSqlite();
  const shown = new Map<string, string>();
  const held = Promise.withResolvers<void>();
  const c = createChannelHarness({
    database,
    rest(_, isAlive) {
      const discord = patientDiscord(shown, isAlive);
      return {
        ...discord,
        async edit(...given) {
          if (given[2].content?.includes("SECRET")) await held.promise;
          return discord.edit(...given);
        },
      };
    },
  });
  await asks(c, "1", THEO, { text: "SECRET" });
  expect(c.store.turn("1")?.state).toBe("closing");
  const finish = async () => {
    held.resolve();
    await c.clock.advance(5000);
  };
  return { c, database, shown, finish };
}

it.each([
  ["is reset", (c: ChannelHarness) => c.reset()],
  ["has forgotten its asker", (c: ChannelHarness) => c.forgetPerson(THEO).messages],
])(
  "an answer whose last edit is on its way is shown whole if the conversation %s, and no turn reads it",
  async (_, forget) => {
    const { c, database, shown, finish } = await answering();
    expect([forget(c), forget(c)]).toEqual([2, 0]);
    await asks(c, "2", MIRA, { text: "and now?" });
    expect(JSON.stringify(c.requests.at(-1))).not.toContain("SECRET");
    await finish();
    expect([...shown.values()]).toContain("answer to SECRET");
    expect([c.store.turn("1")?.state, contentsOf(database).includes("SECRET")]).toEqual(["finished", false]);
  },
);

it("a refused question leaves no words, because it is not reported and forgetting would not find it", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  const denied = "118000000000000777";
  c.remindersFor({ ...testRequest("9", denied), userName: "SECRET" }).set({
    key: "k",
    text: "SECRET",
    dueAt: c.clock.now() + 60_000,
  });
  c.store.putSetting("deny_users", denied);
  c.submit({ trigger: { ...testRequest("1", denied), receivedAt: 0, text: "SECRET", userName: "SECRET" } });
  await c.clock.advance(60_000);
  c.runAlarm();
  await c.clock.advance(5000);
  const refused = database.sql.exec("SELECT record FROM turns WHERE state = 'refused'").toArray();
  expect([refused.length, JSON.stringify(refused).includes("SECRET")]).toEqual([2, false]);
  expect(c.submit({ trigger: testRequest("1", denied) })).toEqual({ kind: "refused", refusal: { reason: "denied" } });
});

it("a nonexistent persona is named in the refusal but not stored, because the name may be any words", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  const ask = () => c.submit({ trigger: { ...testRequest("1"), receivedAt: 0 }, speakers: { persona: "SECRET" } });
  const refusal = { reason: "unknown_persona", name: "SECRET", known: [] };
  expect(ask()).toEqual({ kind: "refused", refusal });
  expect(contentsOf(database)).not.toContain("SECRET");
  expect(ask()).toEqual({ kind: "refused", refusal: { ...refusal, name: "…" } });
});

it("a question that never began leaves no words either once its reply is finished", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  c.submit({ trigger: { ...testRequest("1", MIRA), receivedAt: c.clock.now() } });
  c.submit({ trigger: { ...testRequest("2", THEO), receivedAt: c.clock.now(), text: "SECRET", userName: "SECRET" } });
  await c.clock.advance(2000);
  const ofMira = { userId: MIRA, userName: "Mira", moderator: true };
  c.stop({ interactionId: "3", kind: "kill", turnId: null, ...ofMira });
  await c.clock.advance(10_000);
  expect([c.store.turn("2")?.state, c.store.turn("2")?.startedAt]).toEqual(["finished", null]);
  expect(contentsOf(database)).not.toContain("SECRET");
});

it("a question whose reply is deleted before it begins leaves no words either", async () => {
  const database = nodeSqlite();
  const gone = { ok: false, kind: "refused", limit: null, text: "Unknown Message", status: 404, code: 10008 } as const;
  const c = createChannelHarness({
    database,
    rest(_, isAlive) {
      const discord = patientDiscord(new Map(), isAlive);
      const isDeleted = (route: object) => "token" in route && route.token === "token-2";
      return { ...discord, edit: async (...given) => (isDeleted(given[0]) ? gone : discord.edit(...given)) };
    },
  });
  c.submit({ trigger: { ...testRequest("1", MIRA), receivedAt: c.clock.now() } });
  c.submit({ trigger: { ...testRequest("2", THEO), receivedAt: c.clock.now(), text: "SECRET", userName: "SECRET" } });
  expect(contentsOf(database)).toContain("SECRET");
  await c.clock.advance(10_000);
  const { state, status, startedAt } = c.store.turn("2") ?? {};
  expect([state, status, startedAt]).toEqual(["finished", "stopped_by_user", null]);
  expect(contentsOf(database)).not.toContain("SECRET");
});

it("a token is stored only while its reply can still change", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  c.store.putSetting("persona:ada", JSON.stringify({ name: "Ada", prompt: "Be brief.", avatarUrl: null }));
  c.store.putSetting("deny_users", "118000000000000777");
  await asks(c, "1", THEO);
  c.submit({ trigger: { ...testRequest("2"), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  expect(contentsOf(database)).toContain("token-2");
  c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await c.clock.advance(5000);
  await asks(c, "3", THEO);
  c.submit({ trigger: { ...testRequest("4"), receivedAt: c.clock.now() }, speakers: { scene: ["Ada", "Ada"] } });
  for (let n = 0; n < 2; n++) {
    await c.clock.advance(5000);
    c.answer(says("Hm."));
  }
  await c.clock.advance(5000);
  c.submit({ trigger: { ...testRequest("5", "118000000000000777"), receivedAt: c.clock.now() } });
  expect(c.store.turn("5")?.state).toBe("refused");
  // This test's Discord derives message ids from tokens.
  expect(contentsOf(database).replaceAll("original-token-", "")).not.toContain("token-");
});

it("a failed answer's button is still removed when it is clicked, although its token is not stored", async () => {
  const place = createAppHarness();
  await place.ask(PEOPLE.theo, "a story");
  await place.pass(1000);
  place.channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await place.pass(5000);
  expect(place.channel.traces({ userId: PEOPLE.theo, moderator: false }).length).toBe(1);
  await place.click(PEOPLE.theo, "Retry");
  await place.pass(1000);
  expect(place.buttons().filter((id) => id.startsWith("retry:"))).toEqual([]);
});

it("a summary in progress does not keep the words of an answer that is deleted meanwhile", async () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  await talkOn(c, 1, 2);
  // These turns have no answer that could be deleted instead.
  for (let id = 3; id < 9; id++) {
    c.submit({ trigger: { ...testRequest(String(id)), receivedAt: c.clock.now() } });
    await c.clock.advance(10);
    c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await c.clock.advance(13_000);
  }
  expect(await c.port.compact(null)).toEqual({ result: "planned", messages: 4 });
  await alarm(c);
  expect(textOf(c.requests.at(-1) as ModelRequest)).toContain("Answer 2.");
  const press = { applicationId: "1", token: "t", messageId: "5" };
  const click = { interactionId: "90", turnId: "2", userId: "10", moderator: false, press };
  expect(c.remove(click)).toEqual({ result: "deleted" });
  c.answer(says("About: what the second answer said."), isForSummary);
  await c.clock.advance(10);
  expect(c.store.summary()).toBeNull();
});

it("the count of someone's follow-ups in a row is deleted only with that person", () => {
  const c = createChannelHarness();
  const followUps = { userId: MIRA, count: 2 };
  c.store.saveLock({ ...c.store.lock(), followUps });
  c.forgetPerson(THEO);
  expect(c.store.lock().followUps).toEqual(followUps);
  c.forgetPerson(MIRA);
  expect(c.store.lock().followUps).toBeNull();
});
