// Short ways to ask a channel, to see which questions and answers its next request contains, and to let time pass with every alarm.
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

/** The last line of each message in the newest request. */
export function linesRead(channel: ChannelHarness): (string | undefined)[] {
  const { messages = [] } = channel.requests.at(-1) ?? {};
  return messages.map(({ text = "" }: { text?: string }) => text.split("\n").at(-1));
}

/** Lets time pass until then (epoch milliseconds) and runs each alarm at its time. */
export async function passUntil(channel: ChannelHarness, at: number): Promise<void> {
  const next = () => channel.alarmAt() ?? channel.retentionAt() ?? Number.POSITIVE_INFINITY;
  while (next() <= at) {
    await channel.clock.advance(Math.max(0, next() - channel.clock.now()));
    channel.runAlarm();
    await channel.drain();
  }
  await channel.clock.advance(Math.max(0, at - channel.clock.now()));
}
