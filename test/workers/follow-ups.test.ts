// A second message from the same person, and how several people affect each other: interrupt, wait, steer, stop, kill.
import { describe, expect, it } from "vitest";
import { say } from "../../src/core/copy/notices.ts";
import { MIRA, THEO, UNTIL_RELEASED, type WorkerdHarness } from "../support/workerd-harness.ts";
import { call, held, inside, quiet, text, until, world } from "./arrange.ts";

const ADA = "1180000000000000055";

const writing = (w: WorkerdHarness, start: string) =>
  until(start, () => w.answers().some((answer) => answer.startsWith(start)));
const users = (w: WorkerdHarness) => w.lastRequest().filter((line) => line.startsWith("user"));
const set = (w: WorkerdHarness, key: string, value: string) => inside(w, (object) => object.change({ key, value }));

describe("a follow-up while the answer is being written", () => {
  it("interrupts the answer: the posted text stays and is marked, and both messages are answered together", async () => {
    const w = world();
    w.model.script([held("The capital"), text("Both then.")]);
    await w.say(THEO, "capital of France?");
    await writing(w, "The capital");
    await w.say(THEO, "and of Spain?");
    await quiet(w);
    expect(w.answers()).toEqual([
      "The capital\n\n-# Interrupted by your next message, which is answered below.",
      "Both then.",
    ]);
    expect(w.model.log[0]?.aborted).toBe(true);
    expect(w.lastRequest().slice(1)).toEqual([
      "user: [Theo · u1]\ncapital of France?",
      "assistant: The capital",
      "user: [Theo · u1]\nand of Spain?",
    ]);
  });

  it("may interrupt three times in a row, and the fourth waits like anyone else's", async () => {
    const w = world();
    w.model.script([held("a"), held("b"), held("c"), held("d"), text("e")]);
    for (const [index, start] of ["a", "b", "c", "d"].entries()) {
      await w.say(THEO, `message ${index}`);
      await until(start, () => w.answers().some((answer) => answer === start));
    }
    await w.say(THEO, "message 4");
    await until("the place", () => w.answers().includes(`-# Waiting: number 1 in the queue, after <@${THEO}>.`));
    expect(w.model.log).toHaveLength(4);
    await w.use(THEO, "stop");
    await quiet(w);
    expect(w.answers(MIRA).at(-1)).toBe("e");
  });

  it("waits if the channel's setting says so", async () => {
    const w = world();
    await set(w, "follow_up", "queue");
    w.model.script([held("first"), text("second")]);
    await w.say(THEO, "one");
    await writing(w, "first");
    await w.say(THEO, "two");
    await until("the place", () => w.answers().some((answer) => answer.startsWith("-# Waiting: number 1")));
    expect(w.model.log[0]?.aborted).toBe(false);
    await w.use(THEO, "stop");
    await quiet(w);
  });
});

describe("a follow-up while tools run", () => {
  it("waits at the front of the queue, and a newer one replaces it and says so", async () => {
    const w = world();
    w.model.script([call("slow"), text("newest"), text("Mira's")]);
    await w.say(THEO, "work");
    await until("the tool", () => w.answers()[0]?.includes("`slow`") ?? false);
    await w.say(MIRA, "me too");
    await w.say(THEO, "also");
    await w.say(THEO, "rather");
    await until("the order", () => w.answers().includes(`-# Waiting: number 2 in the queue, after <@${THEO}>.`));
    await w.use(THEO, "stop");
    await quiet(w);
    expect(w.answers(MIRA)).toEqual([
      `-# Stopped by <@${THEO}>.`,
      "Mira's",
      "-# Replaced by your newer message.",
      "newest",
    ]);
  });

  it("joins the running answer at the next tool boundary if it steers", async () => {
    const w = world();
    await set(w, "follow_up", "steer");
    w.model.script([call("deaf"), text("Both done.")]);
    await w.say(THEO, "do this");
    await until("the tool", () => w.answers()[0]?.includes("`deaf`") ?? false);
    await w.say(THEO, "and that");
    w.release();
    await quiet(w);
    expect(w.answers()).toEqual(["Both done.", "-# Added to the answer that is being written above."]);
    expect(users(w)).toEqual(["user: [Theo · u1]\ndo this", "user: [Theo · u1]\nand that"]);
    expect(w.model.log).toHaveLength(2);
  });

  it("joins in the order in which it came, even if several come before the next boundary", async () => {
    const w = world();
    await set(w, "follow_up", "steer");
    w.model.script([call("deaf"), text("All done.")]);
    await w.say(THEO, "do this");
    await until("the tool", () => w.answers()[0]?.includes("`deaf`") ?? false);
    for (const words of ["make it red", "no, blue", "I am sure"]) await w.say(THEO, words);
    w.release();
    await quiet(w);
    const joined = ["make it red", "no, blue", "I am sure"].map((words) => `user: [Theo · u1]\n${words}`);
    expect(users(w)).toEqual(["user: [Theo · u1]\ndo this", ...joined]);
  });

  it("is asked again with the answer that it joined", async () => {
    const w = world();
    await set(w, "follow_up", "steer");
    w.model.script([call("deaf"), text("Both done."), text("Both done anew.")]);
    const { messageId = "" } = await w.say(THEO, "do this");
    await until("the tool", () => w.answers()[0]?.includes("`deaf`") ?? false);
    await w.say(THEO, "and that");
    w.release();
    await quiet(w);
    await w.click(THEO, messageId, "Regenerate");
    await quiet(w);
    expect(users(w)).toEqual(["user: [Theo · u1]\ndo this\n\nand that"]);
    expect(w.answers()).toEqual(["-# Added to the answer that is being written above.", "Both done anew."]);
  });

  it("gets a turn of its own if the turn that it steers ends before a boundary", async () => {
    const w = world();
    await set(w, "follow_up", "steer");
    w.model.script([{ chunks: [{ text: "one" }, UNTIL_RELEASED] }, text("two")]);
    await w.say(THEO, "first");
    await writing(w, "one");
    await w.say(THEO, "second");
    w.release();
    await quiet(w);
    expect(w.answers()).toEqual(["one", "two"]);
  });

  it("are answered in order, before others' questions, if the turn that they steer ends before a boundary", async () => {
    const w = world();
    await set(w, "follow_up", "steer");
    w.model.script([{ chunks: [{ text: "one" }, UNTIL_RELEASED] }, text("two"), text("three"), text("four")]);
    await w.say(THEO, "first");
    await writing(w, "one");
    await w.say(ADA, "fourth");
    for (const words of ["second", "third"]) await w.say(THEO, words);
    w.release();
    await quiet(w);
    expect(users(w).map((line) => line.split("\n")[1])).toEqual(["first", "second", "third", "fourth"]);
  });
});

describe("a kill", () => {
  it("by a moderator ends the turn and clears the queue, and each entry says who did it", async () => {
    const w = world();
    w.model.script([held("long"), text("fresh")]);
    await w.say(THEO, "a");
    await writing(w, "long");
    await w.say(ADA, "b");
    await w.say(ADA, "c");
    await w.use(MIRA, "bot kill");
    await quiet(w);
    expect(w.answers(ADA)).toEqual([
      `long\n\n-# Stopped by <@${MIRA}>.`,
      `-# Cleared from the queue by <@${MIRA}>. Send it again if you still want an answer.`,
      `-# Cleared from the queue by <@${MIRA}>. Send it again if you still want an answer.`,
    ]);
    expect(w.answers(MIRA).at(-1)).toBe(`Stopped the answer to <@${THEO}>. Cleared 2 waiting messages.`);
    await w.say(ADA, "again");
    await quiet(w);
    expect(w.answers(ADA).at(-1)).toBe("fresh");
  });

  it("by an owner who is not a moderator clears their own entries only", async () => {
    const w = world();
    await set(w, "follow_up", "queue");
    w.model.script([held("long"), text("for Ada")]);
    await w.say(THEO, "a");
    await writing(w, "long");
    await w.say(ADA, "b");
    await w.say(THEO, "c");
    await w.use(THEO, "bot kill");
    await quiet(w);
    expect(w.answers(ADA).slice(1)).toEqual([
      "for Ada",
      `-# Cleared from the queue by <@${THEO}>. Send it again if you still want an answer.`,
    ]);
  });

  it("says so if there is nothing to end", async () => {
    const w = world();
    await w.use(THEO, "bot kill");
    await w.use(THEO, "stop");
    expect(w.answers(THEO)).toEqual(["There is nothing to stop here.", "There is nothing to stop here."]);
  });
});

describe("a waiting message", () => {
  it("can be taken back by its owner with its button", async () => {
    const w = world();
    w.model.script([held("long")]);
    await w.say(MIRA, "a");
    await writing(w, "long");
    const { messageId = "" } = await w.say(THEO, "b");
    await until("the place", () => w.answers().some((answer) => answer.startsWith("-# Waiting")));
    await w.click(THEO, messageId, "Stop");
    await until("the end", () => w.answers(MIRA).includes(`-# Taken out of the queue by <@${THEO}>.`));
    await w.use(MIRA, "stop");
    await quiet(w);
    expect(w.model.log).toHaveLength(1);
  });

  it("leaves the queue if its reply is deleted, and no model is asked for it", async () => {
    const w = world();
    w.model.script([held("long"), held("for Ada")]);
    await w.say(MIRA, "a");
    await writing(w, "long");
    await w.say(ADA, "b");
    const { messageId = "" } = await w.say(THEO, "c");
    await until("the places", () => w.answers().some((answer) => answer.includes("number 2")));
    w.discord.delete(messageId);
    await w.use(MIRA, "stop");
    await writing(w, "for Ada");
    const waiting = () => inside(w, ({ channel }) => channel.ports.store.state().queue.length);
    await until("its leaving", async () => (await waiting()) === 0);
    await w.use(MIRA, "stop");
    await quiet(w);
    expect(w.model.log).toHaveLength(2);
  });

  it("shows its new position when the queue moves, at most once in 5 s", async () => {
    const w = world();
    w.model.script([held("a"), held("b"), text("c")]);
    await w.say(MIRA, "one");
    await writing(w, "a");
    await w.say(THEO, "two");
    await w.say(ADA, "three");
    await until("the places", () =>
      w.answers().includes(`-# Waiting: number 2 in the queue, after <@${MIRA}>, <@${THEO}>.`),
    );
    await w.use(MIRA, "stop");
    await until("the move", () => w.answers().includes(`-# Waiting: number 1 in the queue, after <@${THEO}>.`));
    await w.use(MIRA, "stop");
    await quiet(w);
    expect(w.answers(ADA).at(-1)).toBe("c");
    const [, , third] = w.discord.log.filter(({ method }) => method === "PATCH").map(({ path }) => path);
    const edits = w.discord.log.filter(({ path }) => path === third).length;
    expect(edits).toBeLessThanOrEqual(4);
  });
});

describe("settings of a thread", () => {
  it("come from its parent until it has its own, and a bad value changes nothing", async () => {
    const parent = world();
    const w = world();
    const trigger = (id: string) => ({
      interactionId: id,
      token: "t",
      applicationId: "a",
      receivedAt: w.time.now(),
      channelId: w.channelId,
      guildId: null,
      userId: THEO,
      userName: "Theo",
      moderator: false,
      locale: "en-US",
      text: id,
    });
    await set(parent, "follow_up", "queue");
    expect(await inside(parent, (object) => object.change({ key: "follow_up", value: "shout" }))).toMatchObject({
      ok: false,
    });
    expect(await inside(parent, (object) => object.change({ key: "volume", value: "11" }))).toMatchObject({
      ok: false,
    });
    const parentSettings = await inside(parent, (object) => object.settings());
    expect(parentSettings).toEqual({ follow_up: "queue" });
    const submit = (id: string) => inside(w, (object) => object.submit({ trigger: trigger(id), parentSettings }));
    w.model.script([held("one"), held("two")]);
    await submit("1");
    await until("the model", () => w.model.log.length === 1);
    await submit("2");
    expect(w.model.log[0]?.aborted).toBe(false);
    await set(w, "follow_up", "interrupt");
    await submit("3");
    await until("the interrupt", () => w.model.log[0]?.aborted ?? false);
  });
});

describe("status and reset", () => {
  it("show what runs and who waits, and clear the conversation for moderators only", async () => {
    const w = world();
    w.model.script([text("Noted."), call("slow"), text("Who are you?")]);
    await w.say(THEO, "remember 42");
    await quiet(w);
    await w.say(THEO, "work");
    await until("the tool", () => w.answers().at(-1)?.includes("`slow`") ?? false);
    await w.say(MIRA, "wait");
    await w.use(ADA, "bot status");
    expect(
      w
        .answers(ADA)
        .at(-1)
        ?.split("\n")
        .filter((line) => !line.startsWith("-# "))
        .map((line) => line.replace(/\d+ (s|min)/, "N")),
    ).toEqual([
      `Answering <@${THEO}> for N: using tools, step 1 of 100.`,
      "Tool: `slow` for N.",
      "Time left: N.",
      `Waiting: <@${MIRA}>.`,
    ]);
    await w.use(MIRA, "bot kill");
    await quiet(w);
    await w.use(THEO, "bot reset");
    expect(w.answers(THEO).at(-1)).toBe(say.moderatorsOnly("bot reset"));
    await w.use(MIRA, "bot reset");
    expect(w.answers(MIRA).at(-1)).toContain("Forgot the conversation here (4 stored messages)");
    await w.say(THEO, "what was it?");
    await quiet(w);
    expect(users(w)).toEqual(["user: [Theo · u1]\nwhat was it?"]);
  });
});
