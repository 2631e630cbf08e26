// /catch-up from the command to the answer: what is read for whom, who else sees it, and that none of it is kept.
import { describe, expect, it } from "vitest";
import { allHidden, nothingMissed, unreadableText, unreadNow } from "../../../src/core/copy/catch-up.ts";
import { say } from "../../../src/core/copy/notices.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import { mayReadHistory } from "../../../src/discord/interactions/permissions.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import {
  createMessageHarness,
  type MessageHarness,
  type MessageHarnessOptions,
} from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DIGEST = "**Decisions**\n- Mira moved the launch to Tuesday.";
const open = (more: MessageHarnessOptions = {}) =>
  createMessageHarness({
    readsContent: true,
    answerTo: () => ({ texts: [DIGEST] }),
    settings: { show_question: "false", channel_context: "0" },
    ...more,
  });

/** The quoted block of the last request, line by line, without times and without the task around it. */
const block = ({ world }: MessageHarness): string[] => {
  const lines = (world.requests.at(-1)?.messages[0]?.text ?? "").split("\n");
  const end = lines.findIndex((line) => line.startsWith("<<<end"));
  return lines.slice(2, end).map((line) => line.replace(/, \d\d:\d\d: /, ": "));
};
const catchUp = async (place: MessageHarness, as: string, hours?: number) => {
  const outcome = await place.use(as, "catch-up", hours === undefined ? {} : { since: hours });
  await place.rest();
  return outcome;
};
const stored = (place: MessageHarness) =>
  JSON.stringify(
    ["turns", "messages", "ledger", "answers"].map((table) =>
      place.world.database.sql.exec(`SELECT * FROM ${table}`).toArray(),
    ),
  );

describe("/catch-up", () => {
  it("reads what was said since the asker's last message, and only the asker sees the answer", async () => {
    const place = await open();
    place.write(theo, "before");
    const asked = place.write(theo, "Shall we launch?");
    place.write(mira, `<@${theo}> on Tuesday.\nAgreed?`, { replyTo: asked });
    await catchUp(place, theo);
    expect(block(place).slice(1)).toEqual(["Mira to Theo: @Theo on Tuesday. Agreed?"]);
    expect([place.reads(theo), place.reads(mira)]).toEqual([[DIGEST], []]);
    expect(place.requests().filter((line) => !line.includes(" GET "))).toEqual([
      expect.stringContaining('PATCH /webhooks/… "**Decisions**'),
      expect.stringContaining("PATCH /webhooks/…"),
    ]);
  });

  it("reads the given number of hours back, including the asker's own messages", async () => {
    const place = await open();
    place.write(mira, "too old");
    await place.pass(HOUR_MS);
    place.write(mira, "one");
    place.write(theo, "two");
    await place.pass(HOUR_MS / 2);
    await catchUp(place, theo, 1);
    expect(block(place).slice(1)).toEqual(["Mira: one", "Theo: two"]);
  });

  it("offers no tool and sees no conversation, and later questions see nothing of it", async () => {
    const place = await open({ answerTo: () => ({ texts: ["Fine."] }) });
    await place.chat(mira, "Remember the launch.");
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    expect(place.world.requests.at(-1)?.tools).toEqual([]);
    expect(place.world.requests.at(-1)?.messages.length).toBe(1);
    await place.chat(theo, "hi");
    expect(place.world.requests.at(-1)?.messages.map(({ text }) => text)).toEqual([
      "[Mira · u1]\nRemember the launch.",
      "Fine.",
      "[Theo · u2]\nhi",
    ]);
  });

  it("keeps the shape of the turn and its token counts, but none of its words", async () => {
    const place = await open();
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    expect(stored(place)).not.toMatch(/Tuesday|launch|Mira|Theo/);
    const [turn] = place.world.database.sql.exec("SELECT record FROM turns").toArray();
    const record = JSON.parse(String(turn?.record)) as TurnRecord;
    const { inputTokens } = record.usage;
    expect(record.events.flatMap(({ call }) => call ?? [])).toMatchObject([
      { outcome: "answered", usage: { inputTokens } },
    ]);
    expect(record).toMatchObject({
      state: "finished",
      status: "completed",
      usage: { modelCalls: 1, inputTokens: expect.any(Number) },
      trigger: { userId: theo, privateTo: theo, text: "" },
    });
  });

  it("reads at most 200 messages, a hundred at a time, before the command", async () => {
    const place = await open();
    for (let n = 1; n <= 250; n++) place.write(mira, `number ${n}`);
    await catchUp(place, theo);
    expect(block(place).slice(1)).toEqual(Array.from({ length: 200 }, (_, n) => `Mira: number ${n + 51}`));
    expect(place.requests().filter((line) => line.includes("GET /channels/general/messages")).length).toBe(2);
  });

  it("says so without a call of the model when nothing was missed", async () => {
    const place = await open();
    place.write(theo, "last words");
    await catchUp(place, theo);
    await place.pass(2 * HOUR_MS);
    await catchUp(place, mira, 1);
    expect([place.reads(theo), place.reads(mira)]).toEqual([[nothingMissed(null)], [nothingMissed(1)]]);
    expect(place.world.requests).toEqual([]);
  });

  it("is only seen by its asker even if a persona with a voice of its own answers, however long the answer is", async () => {
    const place = await open({ answerTo: () => ({ texts: [`${DIGEST}\n\n${"more and more\n\n".repeat(400)}`] }) });
    await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
    await place.use(mira, "persona use", { name: "Ada" });
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    const seen = (as: string) => place.world.discord.messages(place.world.channelId, as).map(({ content }) => content);
    expect(seen(mira).filter((text) => text.includes("Decisions") || text.includes("more"))).toEqual([]);
    expect(place.reads(theo).length).toBe(1);
    const [answer] = place.world.discord.messages(place.world.channelId, theo).filter(({ ephemeral }) => ephemeral);
    expect(answer?.attachments.map(({ filename }) => filename)).toEqual(["answer.md"]);
  });

  it("is only seen by its asker if Discord takes no file and the answer comes in more messages", async () => {
    const place = await open({ answerTo: () => ({ texts: [`${DIGEST}\n\n${"more and more\n\n".repeat(400)}`] }) });
    const refusal = () => Response.json({ code: 50_013, message: "Missing Permissions" }, { status: 403 });
    place.world.discord.addWeather(({ files }) => (files.length > 0 ? refusal() : null));
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    await place.pass(MINUTE_MS);
    const seen = (as: string) => place.world.discord.messages(place.world.channelId, as).length;
    expect([seen(theo), seen(mira)]).toEqual([5, 1]);
  });

  it("gets no thread where every question gets one, without a word about that", async () => {
    const place = await open({ settings: { auto_thread: "true", channel_context: "0" } });
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    expect(place.reads(theo)).toEqual([DIGEST]);
  });

  it("waits for the running answer of the same person instead of interrupting it, and is not interrupted itself", async () => {
    const place = await open({ answerTo: () => ({ texts: [DIGEST], firstMs: 5000 }) });
    place.write(mira, "The launch is on Tuesday.");
    void place.use(theo, "chat", { message: "hi" });
    await place.pass(1000);
    await place.use(theo, "catch-up", { since: 1 });
    await place.pass(6000);
    void place.use(theo, "chat", { message: "again" });
    await place.rest();
    expect(place.reads(theo)).toEqual([DIGEST, DIGEST, DIGEST]);
  });

  it("can be stopped, and then nothing of it is left", async () => {
    const place = await open({ answerTo: () => ({ texts: [DIGEST], firstMs: 10_000 }) });
    place.write(mira, "The launch is on Tuesday.");
    await place.use(theo, "catch-up");
    await place.pass(5000);
    await place.use(theo, "stop");
    await place.rest();
    expect(place.reads(theo)[0]).toBe(`-# Stopped by <@${theo}>.`);
    expect(stored(place)).not.toMatch(/Tuesday|launch/);
  });

  it("can be stopped while it reads, which is not an error", async () => {
    const place = await open();
    place.write(mira, "The launch is on Tuesday.");
    place.world.hangs = ({ pathname }) => pathname.endsWith("/messages");
    await place.use(theo, "catch-up");
    await place.pass(1000);
    await place.use(theo, "stop");
    await place.rest();
    expect(place.reads(theo)[0]).toBe(`-# Stopped by <@${theo}>.`);
    expect(place.world.logs.filter(({ text }) => text.includes("could not be read"))).toEqual([]);
  });

  it("is shown by the click that it waits for, and its words are deleted only then", async () => {
    const place = createAppHarness({ bot: true });
    place.discord.configure({ messageContentIntent: true });
    place.discord.write({ channel: PLACES.general, as: mira, content: "The launch is on Tuesday." });
    await place.use(theo, "catch-up");
    await place.pass(14 * MINUTE_MS);
    expect(place.reads()).toEqual([`${say.deliveryWaits} [Stop Continue]`]);
    place.channel.answer([
      { kind: "text", text: DIGEST },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    await place.pass(5 * MINUTE_MS);
    expect(place.reads()).toEqual([`${say.deliveryWaits} [Continue]`]);
    await place.click(theo, "Continue");
    await place.pass(5000);
    const { store } = place.channel;
    expect([place.reads(), store.recentTurns(1, { userId: theo, moderator: false })[0]?.request.text]).toEqual([
      [DIGEST],
      "",
    ]);
    expect(store.messagesBefore("", 60, theo).filter(({ role }) => role === "assistant")).toEqual([]);
  });

  it("respects the budgets and lists of the channel", async () => {
    const place = await open({ settings: { user_turns_per_day: "1", channel_context: "0" } });
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    await catchUp(place, theo);
    expect(place.world.requests.length).toBe(1);
    expect(place.reads(theo).at(-1)).toContain("today");
  });
});

describe("a life that ends during /catch-up", () => {
  it("keeps nothing of what was read, and the next one reads it again and answers once", async () => {
    const place = await open({ answerTo: () => ({ texts: [DIGEST], firstMs: 5000 }) });
    place.write(mira, "The ship sails.");
    await place.use(theo, "catch-up");
    await place.pass(3000);
    expect(stored(place)).not.toContain("ship");
    place.world.restart();
    await place.rest();
    expect(place.requests().filter((line) => line.includes("GET /channels/general/messages")).length).toBe(2);
    expect(place.reads(theo)).toEqual([DIGEST]);
    expect(stored(place)).not.toMatch(/ship|Tuesday/);
  });
});

describe("/catch-up where the channel can't be read", () => {
  it("says why: no bot token", async () => {
    const app = createAppHarness();
    await app.use(theo, "catch-up");
    expect(app.reads()).toEqual([unreadableText.no_token]);
  });

  it("says why: the bot is not a member", async () => {
    const app = createAppHarness({ bot: true, isMember: false, bend: (body) => body.replace('{"0":', '{"1":') });
    await app.use(theo, "catch-up");
    expect(app.reads()).toEqual([unreadableText.not_a_member]);
  });

  it("reads a direct message with the bot, for which Discord names no permissions", async () => {
    const place = await open({ channelId: PLACES.dmOfTheo });
    await place.chat(theo, "hi");
    await catchUp(place, theo, 1);
    expect(block(place).slice(1)).toEqual([`Parley (you): ${DIGEST.replace("\n", " ")}`]);
  });

  it("says why: the person, or the bot, may not read what was said before", async () => {
    const VIEW = String(1n << 10n);
    for (const [bend, why] of [
      [(body: string) => body.replace(/"permissions":"\d+"/, `"permissions":"${VIEW}"`), "asker"],
      [(body: string) => body.replace(/"app_permissions":"\d+"/, `"app_permissions":"${VIEW}"`), "bot"],
    ] as const) {
      const app = createAppHarness({ bot: true, bend });
      await app.use(theo, "catch-up");
      expect(app.reads()).toEqual([unreadableText[why]]);
    }
  });

  it.each([
    ["0", false],
    ["1024", false],
    ["65536", false],
    ["66560", true],
    ["8", true],
    ["what", false],
    [undefined, false],
  ])("counts the permissions %s as %s", (permissions, expected) => {
    expect(mayReadHistory(permissions)).toBe(expected);
  });

  it("says so without a call of the model if Discord refuses it all the same", async () => {
    const place = await open({ discord: { botIsMember: false } });
    await catchUp(place, theo);
    expect([place.reads(theo), place.world.requests]).toEqual([[unreadNow], []]);
  });

  it("says that everything is hidden from a bot that may not read message content", async () => {
    const place = await open({ readsContent: false });
    place.write(mira, "The launch is on Tuesday.");
    await catchUp(place, theo);
    expect([place.reads(theo), place.world.requests]).toEqual([[allHidden], []]);
  });
});
