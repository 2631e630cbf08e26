// A channel's questions and answers in a few words, what its next request has of them, and time that passes with each alarm.
import type { ChannelHarness } from "./channel-harness.ts";
import { testRequest } from "./store-contract.ts";
import { saysUncounted as says } from "./turn-script.ts";

/** Asks `question <id>`, which the model answers with `answer <id>`. */
export async function asks(channel: ChannelHarness, id: string): Promise<void> {
  channel.submit({ trigger: { ...testRequest(id), text: `question ${id}` } });
  await channel.clock.advance(10);
  channel.answer(says(`answer ${id}`));
  await channel.clock.advance(5000);
}

/** The last line of each message that the newest request has. */
export function linesRead(channel: ChannelHarness): (string | undefined)[] {
  const { messages = [] } = channel.requests.at(-1) ?? {};
  return messages.map(({ text = "" }: { text?: string }) => text.split("\n").at(-1));
}

/** Lets time pass until then (epoch milliseconds), with each alarm at its time. */
export async function passUntil(channel: ChannelHarness, at: number): Promise<void> {
  const next = () => channel.alarmAt() ?? channel.retentionAt() ?? Number.POSITIVE_INFINITY;
  while (next() <= at) {
    await channel.clock.advance(Math.max(0, next() - channel.clock.now()));
    channel.runAlarm();
    await channel.drain();
  }
  await channel.clock.advance(Math.max(0, at - channel.clock.now()));
}
