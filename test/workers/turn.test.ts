// Turns inside the runtime: from a signed interaction to the answer in the channel, one at a time, each admitted once.
import { describe, expect, it } from "vitest";
import { openButtons } from "../support/shown-answer.ts";
import { MIRA, THEO, UNTIL_RELEASED } from "../support/workerd-harness.ts";
import { alarmAt, call, crash, held, inside, quiet, runAlarm, text, until, world } from "./arrange.ts";

describe("a turn", () => {
  it("answers /chat in the reply itself and removes its Stop button", async () => {
    const w = world();
    w.model.script([text("Hello ", "Theo.")]);
    const { ok, messageId } = await w.say(THEO, "hi");
    expect(ok).toBe(true);
    await quiet(w);
    const message = w.discord.messages(w.channelId, MIRA).find(({ id }) => id === messageId);
    expect(message).toMatchObject({ content: "> hi\nHello Theo.", loading: false });
    expect(openButtons(message?.components ?? [])).toEqual([]);
    expect(w.discord.violations).toEqual([]);
    expect(w.discord.pinged()).toEqual([]);
  });

  it("runs the tools that the model asks for and shows it their results", async () => {
    const w = world();
    w.model.script([call("get_current_time", { timezone: "Asia/Tokyo" }), text("It is morning.")]);
    await w.say(THEO, "what time is it in Tokyo?");
    await quiet(w);
    expect(w.answers()).toEqual(["It is morning."]);
    expect(w.lastRequest().slice(1)).toEqual([
      "user: [Theo · u1]\nwhat time is it in Tokyo?",
      "assistant: null",
      expect.stringContaining('tool: {"iso":"2030-01-01T'),
    ]);
  });

  it("remembers the conversation in the next turn", async () => {
    const w = world();
    w.model.script([text("Noted."), text("Blue.")]);
    await w.say(THEO, "my colour is blue");
    await quiet(w);
    await w.say(MIRA, "what is his colour?");
    await quiet(w);
    expect(w.lastRequest().slice(1)).toEqual([
      "user: [Theo · u1]\nmy colour is blue",
      "assistant: Noted.",
      "user: [Mira · u2]\nwhat is his colour?",
    ]);
  });

  it("makes a second message wait, says so, and answers it after the first", async () => {
    const w = world();
    w.model.script([{ chunks: [{ text: "one" }, UNTIL_RELEASED, { text: "!" }] }, text("two")]);
    await w.say(THEO, "first");
    await until("the first request", () => w.model.log.length === 1);
    await w.say(MIRA, "second");
    await until("the place", () => w.answers().includes(`-# Waiting: number 1 in the queue, after <@${THEO}>.`));
    expect(w.model.log).toHaveLength(1);
    w.release();
    await quiet(w);
    expect(w.answers()).toEqual(["one!", "two"]);
    expect(w.model.log).toHaveLength(2);
  });

  it("gives a repeated interaction the same acknowledgement and no second turn", async () => {
    const w = world();
    w.model.script([text("once")]);
    const submission = {
      trigger: {
        interactionId: "1180000000000009999",
        token: "t",
        applicationId: "a",
        receivedAt: w.time.now(),
        channelId: w.channelId,
        guildId: null,
        userId: THEO,
        userName: "Theo",
        moderator: false,
        locale: "en-US",
        text: "hi",
      },
    };
    const receipts = await inside(w, async (object) => [
      await object.submit(submission),
      await object.submit(submission),
    ]);
    expect(receipts).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
    await until("the model", () => w.model.log.length > 0);
    const turns = await inside(w, (_object, { storage }) => storage.sql.exec("SELECT id FROM turns").toArray());
    expect(turns).toEqual([{ id: "1180000000000009999" }]);
    expect(w.model.log).toHaveLength(1);
  });

  it("ends with one honest line if the model fails, and the next message works", async () => {
    const w = world();
    w.model.script([{ status: 500 }, { status: 500 }, { status: 500 }, text("better")]);
    await w.say(THEO, "hi");
    await quiet(w);
    await w.say(THEO, "again");
    await quiet(w);
    expect(w.answers()).toEqual(["-# ⚠️ The model provider is overloaded. Try again in a minute.", "better"]);
  });
});

describe("a stop", () => {
  it("closes the model's socket, keeps what was said and frees the channel", async () => {
    const w = world();
    w.model.script([held("Once upon a time"), text("next")]);
    const { messageId = "" } = await w.say(THEO, "a story");
    await until("the text", () => w.answers()[0]?.startsWith("Once upon") ?? false);
    await w.click(THEO, messageId, "Stop");
    await quiet(w);
    expect(w.model.log[0]).toMatchObject({ aborted: true });
    expect(w.answers(MIRA)).toEqual([`Once upon a time\n\n-# Stopped by <@${THEO}>.`]);
    await until("the sentence", () => w.answers(THEO).at(-1) === `Stopped the answer to <@${THEO}>.`);
    await w.say(THEO, "go on");
    await quiet(w);
    expect(w.answers(MIRA).at(-1)).toBe("next");
    expect(w.lastRequest()).toContain("assistant: Once upon a time");
  });

  it("is privately refused to another person, and changes nothing", async () => {
    const w = world();
    w.model.script([held("mine")]);
    const { messageId = "" } = await w.say(MIRA, "hi");
    await until("the text", () => w.answers()[0]?.startsWith("mine") ?? false);
    await w.click(THEO, messageId, "Stop");
    expect(w.answers(THEO).at(-1)).toBe("Only the person who asked or, in a server, a moderator can stop this.");
    expect(w.model.log[0]?.aborted).toBe(false);
    await w.use(MIRA, "stop");
    await quiet(w);
  });

  it("abandons a tool that ignores its signal and lets nothing of it into the channel", async () => {
    const w = world();
    w.model.script([call("deaf"), text("fresh")]);
    await w.say(THEO, "use it");
    await until("the tool", () => w.answers()[0]?.includes("Using `deaf`") ?? false);
    await w.use(MIRA, "bot kill");
    await w.say(THEO, "next");
    await quiet(w);
    w.release();
    await until("the late effect", () => w.effects.length === 1);
    expect(w.model.log).toHaveLength(2);
    expect(w.lastRequest().slice(1)).toEqual([
      "user: [Theo · u1]\nuse it",
      "assistant: null",
      'tool: {"status":"no_result","note":"no result; do not assume that it ran"}',
      "user: [Theo · u1]\nnext",
    ]);
  });
});

describe("eviction in the middle of a turn", () => {
  it("is survived: the turn continues in the same message, and the next message works", async () => {
    const w = world();
    w.model.script([held("half an ans"), text("half an answer, and the rest"), text("and you?")]);
    await w.say(THEO, "hi");
    await until("the text", () => w.answers()[0]?.startsWith("half") ?? false);
    await crash();
    expect(await runAlarm(w)).toBe(true);
    await quiet(w);
    expect(w.answers()).toEqual(["half an answer, and the rest"]);
    await w.say(THEO, "fine");
    await quiet(w);
    expect(w.answers().at(-1)).toBe("and you?");
    expect(w.discord.violations).toEqual([]);
  });

  it("leaves no alarm and no timer at the end", async () => {
    const w = world();
    w.model.script([text("done")]);
    await w.say(THEO, "hi");
    await quiet(w);
    const timers = await inside(w, ({ channel }) => channel.ports.timers.pending);
    expect({ alarm: await alarmAt(w), timers }).toEqual({ alarm: null, timers: 0 });
  });
});
