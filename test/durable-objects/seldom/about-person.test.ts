// What a channel's object shows people about the data that it keeps about them, and what it keeps for reading others' messages.
import { describe, expect, it } from "vitest";
import { leftOutBy } from "../../../src/core/access/scope-copy.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

async function asks(c: ChannelHarness, id: string, userId: string, more: Partial<TurnRequest> = {}) {
  c.submit({ trigger: { ...testRequest(id, userId), receivedAt: 1_000_000, guildId: "5", ...more } });
  await c.clock.advance(10);
  c.answer(says(`answer to ${id}`));
  await c.clock.advance(5000);
}

describe.each([
  ["in memory", () => createChannelHarness()],
  ["in a database", () => createChannelHarness({ database: nodeSqlite() })],
] as const)("what is kept about a person, stored %s", (_, open) => {
  it("has only their own data, including what only they can see, in numbers and in words", async () => {
    const c = open();
    await asks(c, "1", "10");
    await asks(c, "2", "10", { privateTo: "10" });
    await asks(c, "3", "20");
    c.memories().add({ text: "Theo likes rye.", userId: "10", at: 0 });
    c.memories().add({ text: "Mira likes tea.", userId: "20", at: 0 });
    const place = { ...testRequest("1"), ...{ permissions: [], reminder: { text: "", dueAt: 0 } } };
    c.remindersFor({ ...place, userId: "10" });
    c.store.putSetting("deliberate:me:10", "on");
    expect(await c.port.aboutPerson("10")).toEqual({
      questions: 2,
      messages: 4,
      memories: 1,
      reminders: 0,
      keepDays: 30,
      summary: null,
    });
    const kept = await c.port.exportPerson("10");
    expect(kept?.questions.map(({ question, answer }) => [question, answer])).toEqual([
      ["text of 1", "answer to 1"],
      ["text of 2", "answer to 2"],
    ]);
    expect(kept?.memories).toEqual([{ number: 1, text: "Theo likes rye.", toldAt: "1970-01-01T00:00:00.000Z" }]);
    expect(JSON.stringify(kept)).not.toContain("of 3");
  });

  it("doesn't count a question whose words were forgotten, and counts one that is only a file", async () => {
    const c = open();
    const kept = async () => {
      const { questions, messages } = await c.port.aboutPerson("10");
      return [questions, messages];
    };
    await asks(c, "1", "10");
    await asks(c, "2", "10");
    await c.port.remove({
      ...{ interactionId: "x", turnId: "2", userId: "10", moderator: false },
      press: { applicationId: "1", token: "t", messageId: "" },
    });
    await c.clock.advance(200_000);
    expect(await kept()).toEqual([1, 2]);
    c.reset();
    expect(await kept()).toEqual([0, 0]);
    const url = "https://cdn.discordapp.com/a";
    const attachments = [{ id: "9", filename: "a.txt", contentType: "text/plain", size: 9, url, proxyUrl: url }];
    await asks(c, "3", "10", { text: "", attachments });
    expect(await kept()).toEqual([1, 2]);
  });

  it("includes the words of a message that joined a running turn", async () => {
    const c = open();
    c.store.putSetting("follow_up", "steer");
    c.submit({ trigger: { ...testRequest("1"), receivedAt: 1_000_000 } });
    await c.clock.advance(10);
    c.submit({ trigger: { ...testRequest("2"), receivedAt: 1_000_000 } });
    c.answer([
      { kind: "end", finishReason: "tool_calls", calls: [{ id: "c", name: "x", arguments: "{}" }], usage: null },
    ]);
    await c.clock.advance(100);
    c.answer(says("Both."));
    await c.clock.advance(5000);
    const kept = await c.port.exportPerson("10");
    expect([c.store.turn("2")?.status, kept?.questions.map(({ question }) => question)]).toEqual([
      "steered",
      ["text of 1", "text of 2"],
    ]);
  });

  it("includes the words of their voice notes and the names of their files", async () => {
    const c = open();
    const file = { size: 9, url: "https://cdn.discordapp.com/a", proxyUrl: "https://media.discordapp.net/a" };
    const attachments = [
      { ...file, id: "71", filename: "voice-message.ogg", contentType: "audio/ogg" },
      { ...file, id: "72", filename: "plan.pdf", contentType: "application/pdf" },
    ];
    const heard = [{ id: "71", name: "voice-message.ogg", text: "Meet me at the pier." }];
    await asks(c, "1", "10", { attachments, heard });
    await asks(c, "2", "10");
    const kept = await c.port.exportPerson("10");
    expect(kept?.questions.map(({ files, heard: words }) => [files, words])).toEqual([
      [["voice-message.ogg", "plan.pdf"], [{ name: "voice-message.ogg", text: "Meet me at the pier." }]],
      [undefined, undefined],
    ]);
  });

  it("includes a reminder with its time and how often it comes", async () => {
    const c = open();
    const reminders = c.remindersFor(testRequest("1", "10"));
    const read = readRule("every hour", c.clock.now(), "UTC");
    if (!read.ok) throw new Error(read.problem);
    const dueAt = c.clock.now() + 3_600_000;
    const repeats = { rule: read.rule, every: "every hour" };
    reminders.set({ key: "a", text: "tea", dueAt });
    reminders.set({ key: "b", text: "look", dueAt: dueAt + 1, repeats });
    expect((await c.port.exportPerson("10"))?.reminders).toEqual([
      { number: 1, text: "tea", dueAt: new Date(dueAt).toISOString() },
      { number: 2, text: "look", dueAt: new Date(dueAt + 1).toISOString(), every: "every hour" },
    ]);
  });

  it("is empty for a person who was never here, and after they are forgotten", async () => {
    const c = open();
    await asks(c, "1", "10");
    expect(await c.port.exportPerson("30")).toBeNull();
    c.forgetPerson("10");
    expect([await c.port.exportPerson("10"), await c.port.aboutPerson("10")]).toEqual([
      null,
      { questions: 0, messages: 0, memories: 0, reminders: 0, keepDays: 30, summary: null },
    ]);
  });

  it("mentions a summary with words of theirs, and includes its text if nobody else's words are in it", async () => {
    const c = open();
    await asks(c, "1", "10");
    const about = { text: "About: tea.", fromSeq: 1, toSeq: 2, messages: 24, model: "m", tokens: 3, at: 500 };
    const seen = async (users: string[]) => {
      c.store.saveSummary({ ...about, users });
      return [(await c.port.aboutPerson("10")).summary, (await c.port.exportPerson("10"))?.summary];
    };
    const file = { messages: 24, writtenAt: "1970-01-01T00:00:00.500Z" };
    expect([await seen(["20"]), await seen(["10", "20"]), await seen(["10"])]).toEqual([
      [null, undefined],
      [{ messages: 24, at: 500 }, file],
      [
        { messages: 24, at: 500 },
        { ...file, text: "About: tea." },
      ],
    ]);
    c.forgetPerson("10");
    expect([(await c.port.aboutPerson("10")).summary, await c.port.exportPerson("10")]).toEqual([null, null]);
  });

  it("is only a summary if that outlasts their questions", async () => {
    const c = open();
    const about = { text: "About: tea.", fromSeq: 1, toSeq: 2, messages: 2, model: "m", tokens: 3, at: 500 };
    c.store.saveSummary({ ...about, users: ["10"] });
    expect([(await c.port.exportPerson("10"))?.summary?.text, await c.port.exportPerson("20")]).toEqual([
      "About: tea.",
      null,
    ]);
  });
});

describe("who is left out of what is overheard", () => {
  it("is known from the last note that stated it, survives a death, and isn't changed by a note about something else", async () => {
    const c = createChannelHarness({ database: nodeSqlite() });
    const isLeftOut = () => leftOutBy(c.store.scopeNote())("20");
    const note = { settings: {}, isLimited: false };
    const ask = (id: string, scope: { leftOut?: string[] }) =>
      c.submit({ trigger: testRequest(id, "10"), scope: { ...note, ...scope } });
    expect(isLeftOut()).toBe(false);
    ask("1", { leftOut: ["20"] });
    c.crash();
    expect(isLeftOut()).toBe(true);
    ask("2", {});
    expect(isLeftOut()).toBe(true);
    ask("3", { leftOut: [] });
    expect(isLeftOut()).toBe(false);
  });
});
