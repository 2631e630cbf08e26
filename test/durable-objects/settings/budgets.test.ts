// Budgets and lists in the object: checked before a turn starts and before each model call, exact at their limits, and safe
// from races.
import { describe, expect, it } from "vitest";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { KEPT_REFUSED, KEPT_TURNS, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../../src/core/limits.ts";
import type { ModelFailureReason } from "../../../src/core/state/ending.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import type { Refusal } from "../../../src/core/state/rpc.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { ACCEPTED, answer, DAY_MS, endOf, limitedChannel, roll, shownOf, words } from "./limited-channel.ts";

const spent = (of: "user" | "channel", unit: "turns" | "tokens", limit: number, resetsAt = DAY_MS): Refusal => ({
  reason: "budget_spent",
  of,
  unit,
  limit,
  resetsAt,
});
const refused = (refusal: Refusal) => ({ kind: "refused", refusal });
const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe("the budget of turns", () => {
  it("allows as many turns as it says, refuses the next, and resets at midnight UTC", async () => {
    const { channel, say } = limitedChannel({ user_turns_per_day: "2" });
    for (let turns = 0; turns < 2; turns++) {
      expect(say("7")).toEqual(ACCEPTED);
      await answer(channel, words());
    }
    expect(say("7")).toEqual(refused(spent("user", "turns", 2)));
    expect(say("8")).toEqual(ACCEPTED);
    await answer(channel, words());
    await channel.clock.advance(DAY_MS - 1 - channel.clock.now());
    expect(say("7")).toEqual(refused(spent("user", "turns", 2)));
    await channel.clock.advance(1);
    expect(say("7")).toEqual(ACCEPTED);
  });

  it("gives a channel's last turn to one of two people who race for it", async () => {
    const { channel, say } = limitedChannel({ channel_turns_per_day: "2" });
    expect([say("7"), say("8"), say("9")]).toEqual([ACCEPTED, ACCEPTED, refused(spent("channel", "turns", 2))]);
    await answer(channel, words());
    await answer(channel, words());
    expect(channel.store.lock().usage?.channel).toEqual({ turns: 2, tokens: 0 });
    expect(say("9")).toEqual(refused(spent("channel", "turns", 2)));
  });

  it("counts neither a waiting message that a newer one replaces nor one that steers a running turn", async () => {
    const { channel, say } = limitedChannel({ user_turns_per_day: "2", follow_up: "steer" });
    expect([say("7"), say("7"), say("7"), say("7")].map(({ kind }) => kind)).toEqual(Array(4).fill("accepted"));
    expect(channel.usage("7").used.user.turns).toBe(1);
  });

  it("counts a turn once, however many lives it takes and however often its interaction comes", async () => {
    const { channel, say, last } = limitedChannel({ user_turns_per_day: "2" });
    say("7");
    await channel.drain();
    channel.crash();
    channel.runAlarm();
    await channel.drain();
    channel.submit({ trigger: testRequest(last(), "7") });
    await answer(channel, words(used(5, 5)));
    expect(channel.store.lock().usage).toMatchObject({
      day: "1970-01-01",
      channel: { turns: 1 },
      users: { 7: { turns: 1 } },
    });
  });

  it("gives a refused interaction the same refusal again, even on the next day", async () => {
    const { channel, say } = limitedChannel({ channel_turns_per_day: "1" });
    say("7");
    await answer(channel, words());
    const refusal = say("7");
    await channel.clock.advance(DAY_MS);
    expect(channel.submit({ trigger: testRequest("101", "7") })).toEqual(refusal);
  });
});

describe("the budget of tokens", () => {
  it("lets a turn begin with one token left, however many tokens its call then takes, but no turn after that", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "100" });
    say("7");
    await answer(channel, words(used(90, 9)));
    expect(say("7")).toEqual(ACCEPTED);
    await answer(channel, words(used(1, 0)));
    expect(say("7")).toEqual(refused(spent("user", "tokens", 100)));
    const { used: figures } = channel.usage("7");
    expect(figures).toMatchObject({ user: { turns: 2, tokens: 100 }, channel: { turns: 2, tokens: 100 } });
  });

  it.each([
    [99, 2],
    [100, 1],
    [101, 1],
  ])("of 100 is checked before each call: after %i tokens a turn makes %i calls in total", async (tokens, calls) => {
    const { channel, say } = limitedChannel({ channel_tokens_per_day: "100" });
    say("7");
    await answer(channel, roll(used(tokens, 0)));
    expect(channel.streams()).toBe(calls - 1);
    expect(endOf(channel, "100")).toBe(calls === 1 ? "budget_spent" : null);
    if (calls === 1) expect(shownOf(channel, "100")).toBe(`-# ⚠️ ${refusalText(spent("channel", "tokens", 100))}`);
  });

  it("ends a waiting turn with a sentence when it runs out, and checks the next one", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "100", follow_up: "queue" });
    say("7");
    say("7");
    say("8");
    await answer(channel, words(used(100, 0)));
    expect([endOf(channel, "101"), channel.store.turn("102")?.state]).toEqual(["budget_spent", "running"]);
    expect(shownOf(channel, "101")).toBe(`-# ⚠️ ${refusalText(spent("user", "tokens", 100))}`);
    await answer(channel, words());
    expect(channel.store.state()).toMatchObject({ running: null, queue: [], closing: [] });
    expect(channel.alarmAt()).toBeNull();
  });

  it("for a turn that runs past midnight is that of the day on which the turn began", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "100" });
    await channel.clock.advance(DAY_MS - 1_000 - channel.clock.now());
    say("7");
    await answer(channel, roll(used(60, 0)));
    expect(channel.usage("7").used.user).toEqual({ turns: 0, tokens: 0 });
    await answer(channel, roll(used(60, 0)));
    expect(endOf(channel, "100")).toBe("budget_spent");
    // The limit was reset a moment ago.
    const began = "You have used up your 100 tokens for the day when this answer began.";
    expect(shownOf(channel, "100")).toBe(`-# ⚠️ ${began} A new day has begun, so you can ask again.`);
    expect(say("7")).toEqual(ACCEPTED);
  });

  it("uses an estimate if the provider reports no count", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "1" });
    say("7", { text: "x".repeat(400) });
    await answer(channel, [
      { kind: "text", text: "y".repeat(40) },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    const { tokens } = channel.usage("7").used.user;
    expect(tokens).toBeGreaterThan(110);
    expect(say("7")).toEqual(refused(spent("user", "tokens", 1)));
    const [model] = channel.store.turn("100")?.events.filter(({ what }) => what === "model") ?? [];
    expect(model?.detail).toMatch(/^told, about \d+\+10 tokens/);
  });

  describe("of a step that does not reach its end", () => {
    const stop = (channel: ChannelHarness, kind: "stop" | "kill" = "stop") =>
      channel.stop({ interactionId: kind, kind, turnId: null, userId: "7", userName: "x", moderator: false });
    /** The step's question has 400 characters and the answer so far 4,000: 100 and 1,000 tokens, plus the prompt. */
    const begun = async () => {
      const { channel, say } = limitedChannel({ user_tokens_per_day: "1000" });
      say("7", { text: "x".repeat(400) });
      await channel.drain();
      channel.stream([{ kind: "text", text: "y".repeat(4000) }]);
      await channel.drain();
      return { channel, say };
    };
    const failed: ModelEvent = { kind: "failed", failure: { reason: "bad_stream", message: "cut" } };

    it.each<[string, (channel: ChannelHarness) => Promise<unknown>]>([
      ["is stopped", async (channel) => void stop(channel)],
      ["is killed", async (channel) => void stop(channel, "kill")],
      ["is interrupted", async (channel) => void channel.submit({ trigger: testRequest("900", "7") })],
      ["is idle for too long", (channel) => channel.clock.advance(130_000)],
      ["fails", async (channel) => void channel.answer([failed])],
    ])("are counted when it %s, so that a stop can't evade the budget", async (_, happens) => {
      const { channel, say } = await begun();
      await happens(channel);
      await channel.clock.advance(10_000);
      expect(channel.store.turn("100")?.state).toBe("finished");
      expect(channel.usage("7").used.user.tokens).toBeGreaterThan(1200);
      expect(channel.usage("7").used.user.tokens).toBeLessThan(1500);
      expect(channel.store.turn("100")?.usage.modelCalls).toBe(1);
      expect(say("7")).toEqual(refused(spent("user", "tokens", 1000)));
    });

    it("are only those of its question when it is stopped before the first word", async () => {
      const { channel, say } = limitedChannel({ user_tokens_per_day: "100" });
      say("7", { text: "x".repeat(400) });
      await channel.drain();
      stop(channel);
      await channel.clock.advance(10_000);
      expect(say("7")).toEqual(refused(spent("user", "tokens", 100)));
    });

    it("are those that the provider counted, if it did", async () => {
      const { channel, say } = limitedChannel({});
      say("7");
      await answer(channel, [{ ...failed, usage: used(5, 6) }]);
      expect(channel.usage("7").used.user).toMatchObject({ turns: 1, tokens: 11 });
    });

    it.each<ModelFailureReason>(["auth", "no_credit", "no_model", "refused"])(
      "are none when the provider refused the request: %s",
      async (reason) => {
        const { channel, say } = limitedChannel({});
        say("7");
        await answer(channel, [{ kind: "failed", failure: { reason, message: "no" } }]);
        expect(channel.usage("7").used.user).toEqual({ turns: 0, tokens: 0 });
      },
    );

    it("are none if no provider was reached, however often it was tried", async () => {
      const { channel, say } = limitedChannel({});
      say("7");
      await channel.drain();
      for (let tries = 0; channel.streams() > 0 && tries < 10; tries += 1) {
        channel.answer([{ kind: "failed", failure: { reason: "unreachable", message: "no" } }]);
        await channel.clock.advance(120_000);
      }
      expect(channel.store.turn("100")?.state).toBe("finished");
      expect(channel.usage("7").used.user).toEqual({ turns: 0, tokens: 0 });
    });

    it("include the arguments of an incomplete call", async () => {
      const { channel, say } = limitedChannel({});
      say("7");
      await channel.drain();
      channel.stream([{ kind: "call_piece", text: "z".repeat(4000) }]);
      await channel.drain();
      stop(channel);
      await channel.clock.advance(10_000);
      expect(channel.usage("7").used.user.tokens).toBeGreaterThan(1000);
    });
  });

  it("includes what a parked turn has used when that turn is stopped", async () => {
    const { channel, say } = limitedChannel({});
    say("7");
    await answer(channel, words(used(10, 0)));
    const parked = newTurn(testRequest("200", "7"), "parked", 0, channel.clock.now());
    const usage = { inputTokens: 90, outputTokens: 1, modelCalls: 1 };
    channel.store.insertTurn({ ...parked, startedAt: channel.clock.now(), usage });
    expect(channel.usage("7").used.user).toMatchObject({ turns: 1, tokens: 101 });
    channel.stop({ interactionId: "300", kind: "stop", turnId: null, userId: "7", userName: "x", moderator: false });
    await channel.clock.advance(10_000);
    expect(channel.store.turn("200")?.state).toBe("finished");
    expect(channel.usage("7").used.user).toMatchObject({ turns: 1, tokens: 101 });
  });

  it("gives no warning about a day that was over when the answer came", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "1000" });
    await channel.clock.advance(DAY_MS - 1000 - channel.clock.now());
    say("7");
    await answer(channel, roll(used(0, 0)));
    await answer(channel, words(used(900, 0)));
    expect(channel.usage("7").used.user).toEqual({ turns: 0, tokens: 0 });
    expect(shownOf(channel, "100")).toBe("Hello.");
  });

  it("gives one warning, below the answer that brings it near", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "1000", channel_turns_per_day: "100" });
    for (const tokens of [700, 150, 50]) {
      say("7");
      await answer(channel, words(used(tokens, 0)));
    }
    expect(["100", "101", "102"].map((id) => shownOf(channel, id))).toEqual([
      "Hello.",
      "Hello.\n\n-# You have used 850 of your 1,000 tokens for today.",
      "Hello.",
    ]);
  });

  it("gives no warning if notices are off", async () => {
    const { channel, say } = limitedChannel({ user_tokens_per_day: "1000", notices: "false" });
    say("7");
    await answer(channel, words(used(900, 0)));
    expect(shownOf(channel, "100")).toBe("Hello.");
  });
});

async function pruneTwice(channel: ChannelHarness): Promise<void> {
  for (let batch = 0; batch < 2; batch++) {
    await channel.clock.advance(PRUNING_DELAY_MS);
    channel.runAlarm();
    await channel.drain();
  }
}

describe("a person who asks", () => {
  it("and is always refused leaves no more rows than anyone else, because they are pruned", async () => {
    const { channel, say } = limitedChannel({ deny_users: "1180000000000000022" });
    const most = KEPT_TURNS + PRUNING_SLACK;
    for (let asked = 0; asked < most; asked++) say("1180000000000000022");
    expect([channel.store.sizes().turns, channel.alarmAt()]).toEqual([most, null]);
    say("1180000000000000022");
    await channel.drain();
    expect(channel.alarmAt()).toBe(channel.clock.now() + PRUNING_DELAY_MS);
    await pruneTwice(channel);
    expect([channel.store.sizes().turns, channel.alarmAt()]).toEqual([KEPT_REFUSED, null]);
  });

  it("and is always refused displaces nobody's conversation", async () => {
    const { channel, say, last } = limitedChannel({ deny_users: "1180000000000000022" });
    say("7");
    const answered = last();
    await answer(channel, words());
    for (let asked = 0; asked <= KEPT_TURNS + PRUNING_SLACK; asked++) say("1180000000000000022");
    await pruneTwice(channel);
    const kept = channel.store.messagesBefore("", 9, null).map(({ text }) => text);
    expect([channel.store.turn(answered)?.state, kept]).toEqual(["finished", ["hi", "Hello."]]);
  });

  it("gets the reason for a refusal, and nothing starts", async () => {
    const { channel, say } = limitedChannel({ allow_roles: "1180000000000000031", deny_users: "1180000000000000022" });
    const roles = ["1180000000000000031"];
    expect(say("7")).toEqual(refused({ reason: "not_listed" }));
    expect(say("1180000000000000022", { roles })).toEqual(refused({ reason: "denied" }));
    expect(channel.store.state()).toMatchObject({ running: null, queue: [] });
    expect(say("7", { roles })).toEqual(ACCEPTED);
  });

  it("may join a running turn as often as they like if there is no limit", () => {
    const channel = createChannelHarness();
    channel.store.putSetting("follow_up", "steer");
    channel.store.putSetting("turns_per_minute", "0");
    const kinds = ["1", "2", "3", "4"].map((id) => {
      const trigger = { ...testRequest(id, "7"), receivedAt: channel.clock.now() };
      return channel.submit({ trigger }).kind;
    });
    expect(kinds).toEqual(["accepted", "accepted", "accepted", "accepted"]);
  });

  it("is shown that a message is longer than the channel's model can read", () => {
    const small = { id: "small", model: "m", baseUrl: "http://x", apiKey: "k", contextTokens: 1000 };
    const large = { ...small, id: "large", contextTokens: 100_000 };
    const { channel, say } = limitedChannel({}, { config: { models: [small, large] } });
    expect(say("7", { text: "x".repeat(2400) })).toEqual(ACCEPTED);
    const tooLong: Refusal = { reason: "too_long_for_model", model: "small", tokens: 601, limit: 600 };
    expect(say("8", { text: "x".repeat(2401) })).toEqual(refused(tooLong));
    expect(refusalText(tooLong)).toContain("about 601 tokens long, and the model `small` reads at most 600");
    channel.store.putSetting("model", "large");
    expect(say("8", { text: "x".repeat(2401) })).toEqual(ACCEPTED);
  });
});
