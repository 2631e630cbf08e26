// A reply that can no longer be written, from the channel's side: what the turn does, and what the next person who asks sees.
import { describe, expect, it } from "vitest";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { end, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;

describe("a channel where the bot may not write", () => {
  it("ends the turn and its model's stream, and starts no other for 15 minutes, so that none costs anything", async () => {
    const place = createAppHarness();
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.discord.brew("forbidden", 1);
    place.channel.stream([{ kind: "text", text: "Once" }]);
    await place.pass(5000);
    expect(place.channel.streams()).toBe(0);
    expect(place.requests()).toEqual(["1.15 PATCH original → 50013"]);

    await place.ask(mira, "and me?");
    expect(place.reads(mira).at(-1)).toBe(refusalText({ reason: "no_access", forMs: 15 * MINUTE - 4850 }));
    expect([place.channel.streams(), place.requests()]).toEqual([0, []]);

    place.channel.crash();
    await place.ask(mira, "and now?");
    expect(place.channel.streams()).toBe(0);

    await place.pass(15 * MINUTE);
    await place.ask(mira, "and now?");
    expect(place.channel.streams()).toBe(1);
  });

  it("is tried again if the clock was set back meanwhile, because no longer wait was intended", async () => {
    for (const [aheadMs, streams] of [
      [15 * MINUTE, 0],
      [60 * MINUTE, 1],
    ] as const) {
      const { channel, ask } = createAppHarness();
      channel.store.saveLock({ ...channel.store.lock(), silentUntil: channel.clock.now() + aheadMs });
      await ask(mira, "hello?");
      expect(channel.streams()).toBe(streams);
    }
  });
});

describe("a reply that the person deleted", () => {
  it("ends its turn quietly, and the channel continues with the next person", async () => {
    const place = createAppHarness();
    const { messageId = "" } = await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Once" }]);
    await place.pass(1000);
    await place.ask(mira, "me too");
    place.discord.delete(messageId);
    place.channel.stream([{ kind: "text", text: " upon a time" }]);
    await place.pass(5000);
    expect(place.channel.store.state().running?.request.userId).toBe(mira);
    place.channel.answer([
      { kind: "text", text: "You too." },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    await place.pass(5000);
    expect(place.reads()).toEqual(["You too."]);
  });

  it("while its turn waits for an approval keeps its usage in the day's figures", async () => {
    const hints = { readOnly: false, idempotent: false, destructive: true, openWorld: true };
    const purge = tool("purge", async () => ({ ok: true, data: "purged" }), { category: "dangerous", hints });
    const place = createAppHarness({ tools: [purge] });
    const { messageId = "" } = await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Once" }]);
    await place.pass(1000);
    place.discord.delete(messageId);
    place.channel.answer([end([["purge", { note: "all" }]])]);
    await place.pass(10_000);
    const { store } = place.channel;
    const [{ tokens = 0 } = {}, parked] = [store.lock().usage?.channel, store.state().parked];
    const [turn] = store.recentTurns(1, { userId: theo, moderator: false });
    expect([parked, turn?.status, turn?.usage.modelCalls]).toEqual([[], "stopped_by_user", 1]);
    expect(tokens).toBe((turn?.usage.inputTokens ?? 0) + (turn?.usage.outputTokens ?? 0));
    expect(tokens).toBeGreaterThan(0);
  });
});
