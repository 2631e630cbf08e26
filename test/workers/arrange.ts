// Helpers for every test of the workers lane: a world whose interactions reach the Worker, the channel's object, and bounded
// waiting for a condition.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import type { ChannelObject } from "../support/worker.ts";
import { createWorld, type WorkerdHarness, type WorldOptions } from "../support/workerd-harness.ts";

/** Makes a fresh channel. */
export const world = (options?: WorldOptions): WorkerdHarness =>
  createWorld((request) => exports.default.fetch(request), options);

/** The channel's object; a stub that threw can't be used again, so each call makes a new one. */
const channelStub = ({ channelId }: WorkerdHarness) => env.CHANNEL.getByName(channelId);

/** Runs something inside the object. */
export function inside<Result>(
  of: WorkerdHarness,
  work: (object: InstanceType<typeof ChannelObject>, state: DurableObjectState) => Result | Promise<Result>,
): Promise<Result> {
  return runInDurableObject(channelStub(of), (object, state) =>
    work(object as unknown as InstanceType<typeof ChannelObject>, state),
  );
}

/** Ends every object at once without notice, like a crash; what was stored stays. */
export const crash = (): Promise<void> => abortAllDurableObjects();

/** The time of the alarm; null also if it is only set to delete what is too old. */
export const alarmAt = (of: WorkerdHarness): Promise<number | null> =>
  inside(of, async ({ channel }, { storage }) => {
    const at = await storage.getAlarm();
    return at === (channel.ports.store.lock().retentionAt ?? null) ? null : at;
  });

/** Runs the channel's alarm now. Returns false if none is set. */
export const runAlarm = (of: WorkerdHarness): Promise<boolean> => runDurableObjectAlarm(channelStub(of));

/** How often and how long to wait for what must happen; a busy machine is slow. */
const PATIENCE = { interval: 3, timeout: 120_000 };

/** Waits until the condition is true. Fails with the name of what it was waiting for. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, PATIENCE).catch(() => {
    throw new Error(`never came: ${what}`);
  });
}

/** Waits until nothing in the channel runs, waits or is still unsaid. */
export async function quiet(of: WorkerdHarness): Promise<void> {
  const isQuiet = () =>
    inside(of, ({ channel }) => {
      const { running, queue, closing } = channel.ports.store.state();
      return channel.live === null && running === null && queue.length + closing.length + channel.finishing.size === 0;
    });
  await vi.waitUntil(isQuiet, PATIENCE).catch(() => {
    throw new Error(`the channel never came to rest: ${JSON.stringify(of.answers())}`);
  });
}

/** Makes a step of the local model: an answer in pieces. */
export const text = (...pieces: string[]) => ({ chunks: pieces.map((piece) => ({ text: piece })) });

/** Makes an answer that begins and then stays silent until its reader leaves. */
export const held = (...pieces: string[]) => ({
  chunks: [...pieces.map((piece) => ({ text: piece })), { hang: true as const }],
});

/** Makes an answer that calls one tool. */
export const call = (name: string, args: object = {}) => ({ chunks: [{ call: { name, arguments: { ...args } } }] });
