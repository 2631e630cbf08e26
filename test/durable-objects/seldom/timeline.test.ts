// The timeline that a turn leaves behind, as the real object code writes it.
import { expect, it } from "vitest";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const usage = { inputTokens: 100, outputTokens: 5 };
const calls = (name: string, args: object): ModelEvent[] => [
  { kind: "end", finishReason: "tool_calls", calls: [{ id: "c1", name, arguments: JSON.stringify(args) }], usage },
];
const words = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage },
];
const failed = (reason: "rate_limited" | "auth"): ModelEvent[] => [
  { kind: "failed", failure: { reason, message: reason } },
];
const asked = ({ clock }: ChannelHarness, id: string, userId: string) => ({
  trigger: { ...testRequest(id, userId), receivedAt: clock.now() },
});
const lines = (channel: ChannelHarness, id: string) =>
  (channel.store.turn(id)?.events ?? []).map(({ what, detail }) => (detail ? `${what}: ${detail}` : what));

it("a timeline lists every event in order: wait, models, tools without secrets, sends and end", async () => {
  const channel = createChannelHarness({ tools: [rollDice] });
  channel.submit(asked(channel, "100", "10"));
  channel.submit(asked(channel, "101", "11"));
  await channel.drain();
  channel.answer(words("Hello."));
  await channel.clock.advance(20_000);
  expect(lines(channel, "101").slice(0, 2)).toEqual(["admitted: back", "started"]);
  channel.answer(calls("roll_dice", { notation: "1d6", api_key: "sk-very-secret-thing" }));
  await channel.clock.advance(2_000);
  channel.answer(words("A three."));
  await channel.clock.advance(20_000);
  expect(lines(channel, "101").map((line) => line.replaceAll(/\d+ ms/g, "… ms"))).toEqual([
    "admitted: back",
    "started",
    "sent: message 1",
    "model: told, 100+5 tokens, … ms, 1 call",
    'tool: roll_dice {"notation":"1d6","api_key":"[redacted]"}: ok, … ms; api_key: is not a parameter; it was ignored',
    "model: told, 100+5 tokens, … ms",
    "ended: completed",
    "delivered: all of it",
  ]);
});

it("a timeline lists failures and retries, who stopped the turn and which life took over", async () => {
  const channel = createChannelHarness();
  channel.submit(asked(channel, "100", "10"));
  await channel.drain();
  channel.answer(failed("rate_limited"));
  await channel.clock.advance(1_500);
  channel.crash();
  channel.runAlarm();
  await channel.drain();
  const by = { userId: "10", userName: "Mira", moderator: false };
  channel.stop({ interactionId: "200", kind: "stop", turnId: null, ...by });
  await channel.clock.advance(20_000);
  expect(lines(channel, "100").filter((line) => !line.startsWith("sent"))).toEqual([
    "admitted: start",
    "started",
    "resumed: model, cut off and counted as about 153+1000 tokens",
    "stop: by Mira",
    expect.stringMatching(/^model: told, stopped_by_user, \d+ ms$/),
    "ended: stopped",
    "delivered: all of it",
  ]);
  channel.submit(asked(channel, "101", "10"));
  await channel.drain();
  channel.answer(failed("rate_limited"));
  await channel.clock.advance(1_500);
  channel.answer(failed("auth"));
  await channel.clock.advance(20_000);
  expect(lines(channel, "101").filter((line) => !line.startsWith("sent"))).toEqual([
    "admitted: start",
    "started",
    "retry: told, rate_limited, after 1000 ms",
    expect.stringMatching(/^model: told, auth, \d+ ms$/),
    "ended: model_failed",
    "delivered: all of it",
  ]);
});
