// Shared by the tests of budgets and of money: a channel with limits, people who ask there, and a model whose answers the test gives.
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

export const DAY_MS = 86_400_000;
export const ACCEPTED = { kind: "accepted" };

/** What a step of the model used. */
interface StepUsage {
  inputTokens: number;
  outputTokens: number;
}

/** Makes the model's answer in words. */
export const words = (usage: StepUsage = { inputTokens: 0, outputTokens: 0 }): ModelEvent[] => [
  { kind: "text", text: "Hello." },
  { kind: "end", finishReason: "stop", calls: [], usage },
];

/** Makes the model's call of a tool, after which the model is asked again. */
export const roll = (usage: StepUsage): ModelEvent[] => [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: [{ id: "c", name: "roll_dice", arguments: '{"notation":"1d6"}' }],
    usage,
  },
];

/** Makes a channel with these settings. People are numbers, and so are their messages, from 100 on. */
export function limitedChannel(settings: Record<string, string>, options: ChannelHarnessOptions = {}) {
  const channel = createChannelHarness({ tools: [rollDice], ...options });
  for (const [key, value] of Object.entries(settings)) channel.store.putSetting(key, value);
  let asked = 100;
  const say = (userId = "7", more: { text?: string; roles?: string[] } = {}) => {
    const { roles = [], text = "hi" } = more;
    const trigger = { ...testRequest(String(asked++), userId), receivedAt: channel.clock.now(), text };
    return channel.submit({ trigger, roles });
  };
  return { channel, say, last: () => String(asked - 1) };
}

/** Answers the open request, and lets the reply be delivered. */
export async function answer(channel: ChannelHarness, events: ModelEvent[]): Promise<void> {
  await channel.drain();
  if (!channel.answer(events)) throw new Error("no request to the model is open");
  await channel.clock.advance(10_000);
}

/** How a turn ended; null while it has not. */
export const endOf = (channel: ChannelHarness, id: string) => {
  const step = channel.store.turn(id)?.checkpoint;
  return step?.kind === "send" ? step.ending.kind : null;
};

/** What Discord shows of a turn's reply. */
export const shownOf = (channel: ChannelHarness, id: string) => channel.shown().get(testRequest(id).token ?? "");
