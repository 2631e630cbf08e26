// A long conversation in the channel harness: turns of about a thousand tokens, and the alarm at its time.
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import type { ChannelHarness } from "./channel-harness.ts";
import { testRequest } from "./store-contract.ts";
import { isForTurn } from "./summaries.ts";

/** How many turns of this length make a summary due. */
export const TURNS_UNTIL_DUE = 13;
/** Nobody may ask more than five times a minute. */
const PAUSE_MS = 13_000;
const WORDS = "It depends on the tide, and on the mood of the harbour master. ";
/** About 480 estimated tokens. */
export const LONG = WORDS.repeat(31);

/** An answer of the model, with the usage that the provider counted. */
export const says = (text: string, usage = { inputTokens: 10, outputTokens: 2 }): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage },
];

/** Runs one turn of about a thousand tokens until its last edit. `id` is a snowflake. */
export async function talk(c: ChannelHarness, id: number, words = "", more: Partial<TurnRequest> = {}): Promise<void> {
  const userId = more.userId ?? "10";
  const text = `${words} ${LONG}`;
  c.submit({ trigger: { ...testRequest(String(id), userId), receivedAt: c.clock.now(), text, ...more } });
  await c.clock.advance(10);
  c.answer(says(`Answer ${id}. ${LONG}`), isForTurn);
  await c.clock.advance(PAUSE_MS);
}

/** Runs this many turns, from this id on. */
export async function talkOn(c: ChannelHarness, from: number, count: number, more: Partial<TurnRequest> = {}) {
  for (let id = from; id < from + count; id++) await talk(c, id, `Question ${id}.`, more);
}

/** Moves to the next alarm, at most `ms` ahead, and runs it. Returns false if none is set by then. */
export async function alarm(c: ChannelHarness, ms = 2000): Promise<boolean> {
  const at = c.alarmAt();
  if (at === null || at > c.clock.now() + ms) return false;
  await c.clock.advance(Math.max(0, at - c.clock.now()));
  c.runAlarm();
  await c.clock.advance(1);
  return true;
}
