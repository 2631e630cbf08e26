// What a scope answers a person about themselves: where they used the bot, a file of what is kept, and the wish to be left out.
import { expect, it } from "vitest";
import { MAX_LEFT_OUT, MAX_OWN_FACTS, MAX_PEOPLE_WITH_FACTS } from "../../../durable-objects/scope/people-store.ts";
import { changedAt } from "../../../src/channel/settings.ts";
import type { PersonRequest } from "../../../src/core/access/person-rpc.ts";
import { DEPLOYMENT, leftOutBy, noteOf } from "../../../src/core/access/scope-copy.ts";
import { exportText, summaryNote } from "../../../src/core/copy/privacy.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const SERVER = "guild:77";
const REPLY = { applicationId: "1", token: "t" };
const report = (n: number, channelId: string): TurnReport => ({
  turnId: String(n),
  userId: "10",
  channelId,
  guildId: "77",
  at: Date.UTC(2030, 0, 1 + n),
  usage: { inputTokens: 1, outputTokens: 0, modelCalls: 1 },
});
const settle = (h: ScopeHarness) => Promise.all(h.detached.splice(0));
const said = (question: string) => ({
  questions: [{ askedAt: "", question, answer: "a", status: null }],
  memories: [],
  reminders: [],
  settings: {},
});

/** Makes a server in which the person had a turn in these channels, in this order. */
async function server(...channels: string[]): Promise<ScopeHarness> {
  const h = createScopeHarness(["1"]);
  await h.scope(SERVER).report(channels.map((channel, n) => report(n, channel)));
  await settle(h);
  return h;
}

/** The file that the person gets, as text. */
async function exported(h: ScopeHarness, conversation = "500") {
  expect(await h.scope(SERVER).person({ op: "export", userId: "10", conversation, reply: REPLY })).toEqual({
    op: "exporting",
  });
  await settle(h);
  const [sent] = h.exports.splice(0);
  return { content: sent?.content, reply: sent?.reply, json: JSON.parse(sent?.file?.text ?? "null") };
}

it("counts the other channels in which they used the bot", async () => {
  const h = await server("500", "501", "502");
  const about = (conversation: string) => h.scope(SERVER).person({ op: "about", userId: "10", conversation });
  expect(await about("500")).toEqual({ op: "about", otherChannels: 2, isLeftOut: false, facts: [] });
  expect(await about("900")).toMatchObject({ otherChannels: 3 });
});

it("collects a file from this conversation, known or not, and from the others, the most recently used first", async () => {
  const h = await server("501", "502");
  for (const channel of ["500", "501", "502"]) h.kept.set(`${channel} 10`, said(`in ${channel}`));
  h.kept.set("503 11", said("another person's"));
  const { content, reply, json } = await exported(h);
  expect([content, reply]).toEqual([exportText(3, 0), REPLY]);
  expect(json).toMatchObject({ userId: "10", leftOutOfOverheard: false, conversationsNotInThisFile: 0 });
  expect(json.conversations.map(({ channel }: { channel: string }) => channel)).toEqual(["500", "502", "501"]);
  expect(JSON.stringify(json)).not.toContain("another");
});

it("says how many conversations are missing from the file, because they can't be reached or the file is full", async () => {
  const h = await server("501", "502", "503");
  h.closed.add("503");
  h.kept.set("502 10", said("x".repeat(2_900_000)));
  h.kept.set("501 10", said("y".repeat(200_000)));
  const { content, json } = await exported(h);
  expect(content).toBe(exportText(1, 2));
  expect([json.conversationsNotInThisFile, json.conversations.length]).toEqual([2, 1]);
});

it.each([
  ["of the greatest length is in it", 0, 20, 1],
  ["one character longer is not", 1, 0, 0],
])(
  "a file is full at 3,000,000 characters: a conversation %s, and no further channels are asked",
  async (_, more, others, there) => {
    const h = await server(...Array.from({ length: others }, (_unused, n) => String(501 + n)));
    const empty = JSON.stringify({ channel: "500", ...said("") }).length;
    h.kept.set("500 10", said("x".repeat(3_000_000 - empty + more)));
    const { content, json } = await exported(h);
    expect([content, json.conversations.length]).toEqual([exportText(there, 1), there]);
  },
);

it("leaves a person out only in this scope, and every copy and note says so", async () => {
  const h = createScopeHarness(["1"]);
  const leave = (isLeftOut: boolean) => h.scope(SERVER).person({ op: "leave_out", userId: "10", isLeftOut });
  const isLeftOut = async (scope: string) => leftOutBy(noteOf(await h.scope(scope).copy("500")))("10");
  expect(await leave(true)).toEqual({ op: "left_out", isLeftOut: true });
  await leave(true);
  h.crash();
  expect([await isLeftOut(SERVER), await isLeftOut(DEPLOYMENT)]).toEqual([true, false]);
  expect(await h.scope(SERVER).person({ op: "about", userId: "10", conversation: "500" })).toMatchObject({
    isLeftOut: true,
  });
  await h.scope(SERVER).forgetPerson("10", "500");
  expect(await isLeftOut(SERVER)).toBe(true);
  await leave(false);
  expect(await isLeftOut(SERVER)).toBe(false);
});

it("makes each copy of a server with a new wish or fact count as newer, so that no older copy reverts it", async () => {
  const h = createScopeHarness(["1"]);
  const times = async (scope: string, wish: PersonRequest) => {
    const read = async () => changedAt((await h.scope(scope).copy("500")).settings);
    const before = await read();
    await h.scope(scope).person(wish);
    return (await read()) > before;
  };
  const leave = (isLeftOut: boolean) => ({ op: "leave_out", userId: "10", isLeftOut }) as const;
  const tell = { op: "remember", userId: "10", text: "Call me Theo.", origin: "person" } as const;
  for (const wish of [leave(true), leave(false), tell]) expect(await times(SERVER, wish)).toBe(true);
  // The server has no settings, and so no time of their last change.
  expect(await times(DEPLOYMENT, tell)).toBe(false);
});

it("says in the file whose words a summary has, and that forgetting deletes it", async () => {
  const h = await server("500", "501");
  const summary = { messages: 24, writtenAt: "" };
  h.kept.set("500 10", { ...said("why?"), summary });
  h.kept.set("501 10", { ...said("how?"), summary: { ...summary, text: "About: tea." } });
  const { json } = await exported(h);
  expect(json.conversations.map((one: { summary: unknown }) => one.summary)).toEqual([
    { ...summary, note: summaryNote(true) },
    { ...summary, text: "About: tea.", note: summaryNote(false) },
  ]);
});

it("leaves out a bounded number of people, each listed once", async () => {
  const h = createScopeHarness(["1"]);
  const leave = (userId: string) => h.scope(SERVER).person({ op: "leave_out", userId, isLeftOut: true });
  for (let n = 0; n < MAX_LEFT_OUT; n++) await leave(String(n));
  expect(await leave("0")).toEqual({ op: "left_out", isLeftOut: true });
  expect(await leave("new")).toEqual({ op: "full", limit: MAX_LEFT_OUT });
});

it("keeps each fact of a person once, with its origin, and the copy names the people who have facts", async () => {
  const h = createScopeHarness(["1"]);
  const tell = (userId: string, text: string, origin: "person" | "untrusted" = "person") =>
    h.scope(SERVER).person({ op: "remember", userId, text, origin });
  expect(await tell("10", "Call me Theo.")).toEqual({ op: "remembered", number: 1 });
  expect(await tell("10", "Call me Theo.")).toEqual({ op: "remembered", number: 1 });
  await tell("10", "Likes rye.", "untrusted");
  await tell("11", "Call me Mira.");
  h.crash();
  const facts = async (userId: string) => {
    const answer = await h.scope(SERVER).person({ op: "facts", userId });
    return answer.op === "facts" ? answer.facts.map(({ number, text, origin }) => [number, text, origin]) : [];
  };
  expect(await facts("10")).toEqual([
    [1, "Call me Theo.", undefined],
    [2, "Likes rye.", "untrusted"],
  ]);
  expect((await h.scope(SERVER).copy("500")).withFacts).toEqual(["10", "11"]);
  expect((await h.scope(DEPLOYMENT).copy("500")).withFacts).toEqual([]);
  // They have said it themselves by now, and no later turn changes that.
  for (const origin of ["person", "untrusted"] as const)
    expect(await tell("10", "Likes rye.", origin)).toEqual({ op: "remembered", number: 2 });
  expect((await facts("10"))[1]).toEqual([2, "Likes rye.", undefined]);
  const forget = (userId: string) => h.scope(SERVER).person({ op: "forget_fact", userId, number: 3 });
  expect([await forget("10"), await forget("11"), await forget("11")]).toEqual([
    { op: "fact_forgotten", wasKept: false },
    { op: "fact_forgotten", wasKept: true },
    { op: "fact_forgotten", wasKept: false },
  ]);
  expect((await exported(h)).json.ownFacts).toMatchObject([{ number: 1 }, { number: 2 }]);
  await h.scope(SERVER).forgetPerson("10", "500");
  expect([await facts("10"), (await h.scope(SERVER).copy("500")).withFacts]).toEqual([[], []]);
});

it("keeps a bounded number of facts of one person", async () => {
  const h = createScopeHarness(["1"]);
  const tell = (text: string) => h.scope(SERVER).person({ op: "remember", userId: "10", text, origin: "person" });
  for (let n = 0; n < MAX_OWN_FACTS; n++) await tell(`fact ${n}`);
  expect([await tell("one more"), await tell("fact 0")]).toEqual([
    { op: "full", limit: MAX_OWN_FACTS },
    { op: "remembered", number: 1 },
  ]);
});

it("keeps facts of a bounded number of people, and still accepts more from those who have some", async () => {
  const h = createScopeHarness(["1"]);
  const tell = (userId: string, text: string) =>
    h.scope(SERVER).person({ op: "remember", userId, text, origin: "person" });
  for (let n = 0; n < MAX_PEOPLE_WITH_FACTS; n++) await tell(String(n), "Call me Theo.");
  expect([await tell("new", "Call me Mira."), await tell("0", "Likes rye.")]).toEqual([
    { op: "full", limit: MAX_PEOPLE_WITH_FACTS, of: "people" },
    { op: "remembered", number: MAX_PEOPLE_WITH_FACTS + 1 },
  ]);
});
