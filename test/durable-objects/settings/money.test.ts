// Limits on money and on turns per minute in the object: checked when a message arrives, before a waiting turn starts and before each model
// call; usage is counted once, even for steps that were stopped.
import { describe, expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { CALL_ESTIMATE } from "../../../src/core/money/lease.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import { usageIfCut } from "../../../src/turn/estimated-usage.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { ACCEPTED, answer, DAY_MS, endOf, limitedChannel, roll, shownOf, words } from "./limited-channel.ts";

/** One micro-dollar for each token. */
const PRICE = { input: 1, output: 1 };
const used = (inputTokens: number, more = {}) => ({ inputTokens, outputTokens: 0, ...more });
const spent = (limit: number, resetsAt = DAY_MS) =>
  ({ reason: "budget_spent", of: "channel", unit: "microUsd", limit, resetsAt }) as const;

/** Makes a channel whose model has a price. */
const place = (settings: Record<string, string>, options: ChannelHarnessOptions = {}) =>
  limitedChannel(settings, { price: PRICE, ...options });
const stop = (channel: ChannelHarness) =>
  channel.stop({ interactionId: "s", kind: "stop", turnId: null, userId: "7", userName: "x", moderator: false });

it("a turn that its server refuses before the first call counts as nobody's answer", async () => {
  const limit = { of: "server", unit: "microUsd", limit: 100, resetsAt: DAY_MS } as const;
  const answers: LeaseAnswer[] = [{ kind: "spent", limit }];
  const open = openScopes();
  const scope = (name: string) => ({
    ...open(name),
    lease: async () =>
      answers.shift() ?? { kind: "granted" as const, allowance: { tokens: null, microUsd: null }, until: DAY_MS },
  });
  const { channel, say } = place({ user_turns_per_day: "1", server_usd_per_day: "0.0001" }, { scope });
  expect(say()).toEqual(ACCEPTED);
  await channel.clock.advance(10_000);
  expect([endOf(channel, "100"), channel.usage("7").used]).toEqual([
    "budget_spent",
    { user: { turns: 0, tokens: 0 }, channel: { turns: 0, tokens: 0 } },
  ]);
  expect(say()).toEqual(ACCEPTED);
  await answer(channel, words(used(1)));
  expect([endOf(channel, "101"), channel.usage("7").used.user.turns]).toEqual(["completed", 1]);
  expect(say()).toMatchObject({ kind: "refused", refusal: { reason: "budget_spent", of: "user" } });
});

describe("the channel's budget of money", () => {
  it("lets a turn begin with a micro-dollar left, refuses the next, and resets at midnight UTC", async () => {
    const { channel, say } = place({ channel_usd_per_day: "0.0001" });
    say("7");
    await answer(channel, words(used(99)));
    expect(say("8")).toEqual(ACCEPTED);
    await answer(channel, words(used(1)));
    expect(say("9")).toEqual({ kind: "refused", refusal: spent(100) });
    await channel.clock.advance(DAY_MS - 1 - channel.clock.now());
    expect(say("9")).toEqual({ kind: "refused", refusal: spent(100) });
    await channel.clock.advance(1);
    expect(say("9")).toEqual(ACCEPTED);
    expect(channel.usage("7").used.channel).toEqual({ turns: 1, tokens: 0 });
  });

  it.each([
    [99, 2],
    [100, 1],
  ])("is checked before each call: after %i micro-dollars a turn makes %i calls in total", async (cost, made) => {
    const { channel, say } = place({ channel_usd_per_day: "0.0001" });
    say();
    await answer(channel, roll(used(cost)));
    expect(channel.streams()).toBe(made - 1);
    expect(endOf(channel, "100")).toBe(made === 1 ? "budget_spent" : null);
    if (made === 1) expect(shownOf(channel, "100")).toBe(`-# ⚠️ ${refusalText(spent(100))}`);
  });

  it("ends a waiting turn with the sentence when it runs out", async () => {
    const { channel, say } = place({ channel_usd_per_day: "0.0001" });
    say("7");
    say("8");
    await answer(channel, words(used(100)));
    expect([endOf(channel, "101"), channel.store.state().running]).toEqual(["budget_spent", null]);
    expect(shownOf(channel, "101")).toBe(
      "-# ⚠️ This channel has used up its $0.0001 for today. The limit resets on <t:86400:f>. Use `/bot usage` to see more.",
    );
  });

  it("for a turn that runs past midnight is that of the day on which the turn began", async () => {
    const { channel, say } = place({ channel_usd_per_day: "0.0001" });
    await channel.clock.advance(DAY_MS - 1000 - channel.clock.now());
    say();
    await answer(channel, roll(used(60)));
    await answer(channel, roll(used(60)));
    expect(channel.store.turn("100")?.checkpoint).toMatchObject({ ending: { kind: "budget_spent", resetsAt: DAY_MS } });
    expect(channel.usage("7").used.user).toEqual({ turns: 0, tokens: 0 });
    expect(say()).toEqual(ACCEPTED);
  });

  it("is announced once, by the answer that passes four fifths of it", async () => {
    const { channel, say } = place({ channel_usd_per_day: "1" });
    for (const cost of [790_000, 20_000, 30_000]) {
      say();
      await answer(channel, words(used(cost)));
    }
    expect(["100", "101", "102"].map((id) => shownOf(channel, id))).toEqual([
      "Hello.",
      "Hello.\n\n-# This channel has used $0.8100 of its $1 for today.",
      "Hello.",
    ]);
  });

  it("can't stop a model whose price is unknown, unless its provider reports the cost", async () => {
    const channel = createChannelHarness();
    channel.store.putSetting("channel_usd_per_day", "0.0001");
    const ask = (id: string) => channel.submit({ trigger: testRequest(id, "7") });
    ask("1");
    await answer(channel, words(used(1000)));
    expect(channel.usage("7").used.user).toEqual({ turns: 1, tokens: 1000, inputTokens: 1000, unpriced: 1000 });
    expect(ask("2")).toEqual(ACCEPTED);
    await answer(channel, words(used(1000, { costMicroUsd: 100 })));
    expect(ask("3")).toEqual({ kind: "refused", refusal: spent(100) });
  });

  it("counts a stopped step's estimate and a failed step's report", async () => {
    const stopped = place({ channel_usd_per_day: "0.001" });
    stopped.say();
    await stopped.channel.drain();
    stopped.channel.stream([{ kind: "text", text: "y".repeat(4000) }]);
    await stopped.channel.drain();
    stop(stopped.channel);
    await stopped.channel.clock.advance(10_000);
    const usage = stopped.channel.store.turn("100")?.usage;
    expect(usage).toMatchObject({ outputTokens: 1000, modelCalls: 1, microUsd: (usage?.inputTokens ?? 0) + 1000 });
    expect(stopped.say()).toEqual({ kind: "refused", refusal: spent(1000) });
    const failed = place({});
    failed.say();
    const failure = { reason: "bad_stream", message: "cut" } as const;
    await answer(failed.channel, [{ kind: "failed", failure, usage: used(5, { cachedInputTokens: 3 }) }]);
    expect(failed.channel.usage("7").used.user).toEqual({
      turns: 1,
      tokens: 5,
      inputTokens: 5,
      cachedInputTokens: 3,
      microUsd: 5,
    });
  });

  it("counts each step once, however many lives the turn takes", async () => {
    const { channel, say } = place({});
    say();
    await answer(channel, roll(used(10)));
    await answer(channel, words(used(20)));
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(10_000);
    expect(channel.store.turn("100")?.usage).toEqual({
      inputTokens: 30,
      outputTokens: 0,
      modelCalls: 2,
      microUsd: 30,
    });
    expect(channel.usage("7").used.channel).toEqual({ turns: 1, tokens: 30, inputTokens: 30, microUsd: 30 });
  });

  it.each([
    ["that a death cut off", 1],
    ["once, although the next life died before it asked again", 2],
  ])("counts a call %s as its prompt and as much output as is lent for one call", async (_, deaths) => {
    const { channel, say } = place({});
    say();
    await channel.drain();
    channel.stream([{ kind: "text", text: "Once upon" }]);
    await channel.clock.advance(1000);
    const [request] = channel.requests;
    const prompt = usageIfCut(request ?? expect.fail("nothing was asked"), undefined).inputTokens;
    for (let n = 0; n < deaths; n++) {
      channel.crash();
      channel.runAlarm();
    }
    await answer(channel, words(used(20)));
    const inputTokens = prompt + 20;
    const microUsd = inputTokens + CALL_ESTIMATE.outputTokens;
    expect(channel.store.turn("100")?.usage).toEqual({ inputTokens, outputTokens: 1000, modelCalls: 2, microUsd });
    expect(channel.usage("7").used.channel).toEqual({ turns: 1, tokens: inputTokens + 1000, inputTokens, microUsd });
  });

  it("continues from the rows of an older program, whose tokens have no price", async () => {
    const { channel, say } = place({});
    const older = { turns: 2, tokens: 40 };
    channel.store.saveLock({
      ...channel.store.lock(),
      usage: { day: "1970-01-01", channel: older, users: { 7: older } },
    });
    const parked = newTurn(testRequest("50", "7"), "parked", 0, 1);
    channel.store.insertTurn({
      ...parked,
      startedAt: 1,
      usage: { inputTokens: 8, outputTokens: 2, modelCalls: 1 },
    });
    say();
    await answer(channel, words(used(20)));
    expect(channel.usage("7").used.user).toEqual({ turns: 3, tokens: 70, microUsd: 20, unpriced: 50 });
  });
});

describe("the limit of turns a minute", () => {
  const tooOften = (limit: number, againAt: number) => ({
    kind: "refused",
    refusal: { reason: "too_often", limit, againAt },
  });

  it("is 5 for each person, and says when they can ask again", async () => {
    const { channel, say } = place({ follow_up: "queue" }, { config: { maxQueuedPerUser: 10 } });
    const began = channel.clock.now();
    for (let asked = 0; asked < 5; asked++) {
      expect(say("7")).toEqual(ACCEPTED);
      await channel.clock.advance(1000);
    }
    expect(say("7")).toEqual(tooOften(5, began + 60_000));
    expect(say("8")).toEqual(ACCEPTED);
    expect(refusalText({ reason: "too_often", limit: 5, againAt: 1_060_001 })).toBe(
      "One person can ask me 5 times a minute here. You can ask again <t:1061:R>.",
    );
    await channel.clock.advance(began + 59_999 - channel.clock.now());
    expect(say("7")).toEqual(tooOften(5, began + 60_000));
    await channel.clock.advance(1);
    expect(say("7")).toEqual(ACCEPTED);
    expect(say("7")).toEqual(tooOften(5, began + 61_000));
  });

  it("counts finished answers, replaced messages and turns of lives that died, but nothing that was refused", async () => {
    const { channel, say } = place({ turns_per_minute: "3" });
    say();
    await answer(channel, words());
    say();
    say();
    channel.crash();
    expect([say(), say()].map(({ kind }) => kind)).toEqual(["refused", "refused"]);
    await channel.clock.advance(50_000);
    expect(say()).toEqual(ACCEPTED);
  });

  it("gives a repeated interaction its first answer, and can be lifted", async () => {
    const { channel, say } = place({ turns_per_minute: "1" });
    say();
    const refusal = say();
    await channel.clock.advance(60_000);
    expect(channel.submit({ trigger: testRequest("101", "7") })).toEqual(refusal);
    channel.store.putSetting("turns_per_minute", "0");
    expect([say(), say()]).toEqual([ACCEPTED, ACCEPTED]);
  });

  it("does not count messages that join a running answer", async () => {
    const { channel, say } = place({ follow_up: "steer", turns_per_minute: "1" });
    expect([say(), say(), say()]).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
    await answer(channel, roll(used(1)));
    await answer(channel, words());
    expect(say().kind).toBe("refused");
  });

  it("counts messages that were to join an answer and began one of their own", async () => {
    const { channel, say } = place({ follow_up: "steer", turns_per_minute: "1" });
    expect(say()).toEqual(ACCEPTED);
    await channel.drain();
    expect(say()).toEqual(ACCEPTED);
    await answer(channel, words());
    expect(channel.store.state().running?.id).toBe("101");
    expect(say().kind).toBe("refused");
  });

  it("stays in force for people who have themselves forgotten, even a second time, and for nobody else", async () => {
    const { channel, say } = place({ turns_per_minute: "2" });
    const began = channel.clock.now();
    say("7");
    await answer(channel, words());
    channel.forgetPerson("7");
    expect(channel.store.turn("100")).toBeNull();
    await channel.clock.advance(25_000);
    expect(say("7")).toEqual(ACCEPTED);
    expect(say("7")).toEqual(tooOften(2, began + 60_000));
    expect(say("8")).toEqual(ACCEPTED);
    // One turn is running and counts once.
    channel.forgetPerson("7");
    channel.forgetPerson("8");
    expect(say("7")).toEqual(tooOften(2, began + 60_000));
    await channel.clock.advance(began + 60_000 - channel.clock.now());
    expect(say("7")).toEqual(ACCEPTED);
    expect(say("7").kind).toBe("refused");
  });

  it("stays in force in a channel where nothing has run today, and counts nobody's usage", async () => {
    const { channel, say } = place({ turns_per_minute: "1" });
    const now = channel.clock.now();
    channel.store.insertTurn({ ...newTurn(testRequest("50", "7"), "finished", 0, now), status: "completed" });
    channel.forgetPerson("7");
    expect(say("7")).toEqual(tooOften(1, now + 60_000));
    expect(channel.usage("7").used).toEqual({ user: { turns: 0, tokens: 0 }, channel: { turns: 0, tokens: 0 } });
  });
});
