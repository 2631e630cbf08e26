// Helpers for every test of the workers lane: a world whose interactions reach the Worker, the channel's object, and waiting
// for a condition with a bound.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import type { ChannelObject } from "../support/worker.ts";
import { createWorld, type WorkerdHarness, type WorldOptions } from "../support/workerd-harness.ts";

/** A fresh channel. */
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

/** Ends every object at once, without notice, as a crash does; what was stored stays. */
export const crash = (): Promise<void> => abortAllDurableObjects();

/** When the alarm is set for; null also when it waits only to delete what is too old. */
export const alarmAt = (of: WorkerdHarness): Promise<number | null> =>
  inside(of, async ({ channel }, { storage }) => {
    const at = await storage.getAlarm();
    return at === (channel.ports.store.lock().retentionAt ?? null) ? null : at;
  });

/** Runs the channel's alarm now; false when none is set. */
export const runAlarm = (of: WorkerdHarness): Promise<boolean> => runDurableObjectAlarm(channelStub(of));

/** How often to look for what must come, and how long: a busy machine is slow. */
const PATIENCE = { interval: 3, timeout: 120_000 };

/** Waits until the condition is true; fails with what it was waiting for. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, PATIENCE).catch(() => {
    throw new Error(`never came: ${what}`);
  });
}

/** Waits until the channel has nothing that runs, waits or remains to be said. */
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

/** A step of the local model: an answer in pieces. */
export const text = (...pieces: string[]) => ({ chunks: pieces.map((piece) => ({ text: piece })) });

/** An answer that begins and then stays silent until its reader leaves. */
export const held = (...pieces: string[]) => ({
  chunks: [...pieces.map((piece) => ({ text: piece })), { hang: true as const }],
});

/** An answer that calls one tool. */
export const call = (name: string, args: object = {}) => ({ chunks: [{ call: { name, arguments: { ...args } } }] });
