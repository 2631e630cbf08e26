// Harness: a channel in which each question gets a thread, and the objects of both; or any channel, with an object for each of its threads.
// Use it for what a person sees in the two places.
import type { Submission } from "../../src/core/state/rpc.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { planFaults } from "../faults/plan.ts";
import type { Story } from "../faults/stories.ts";
import { FaultHarness } from "./fault-harness.ts";
import { createMessageHarness, type MessageHarness } from "./message-harness.ts";
import type { OutageHarness } from "./outage-harness.ts";
import type { Answer } from "./scripted-model.ts";

/** The channel. Its harness doesn't know about the thread, so use `restAll` instead of `rest`. */
export interface ThreadPlace extends MessageHarness {
  /** The thread's object; null: there is none. */
  thread(): FaultHarness | null;
  /** How the channel's calls reach the thread's object; a test may change it. */
  way: { isOpen: boolean; losesReceipts: boolean };
  restAll(): Promise<void>;
}

/** Makes the channel. `answer` is the model's answer to each question. */
export async function openThreadPlace(answer: Answer): Promise<ThreadPlace> {
  const place = await createMessageHarness({ settings: { auto_thread: "true" } });
  const way = { isOpen: true, losesReceipts: false };
  let thread: FaultHarness | null = null;
  place.world.threads = (threadId) => {
    if (!way.isOpen) throw new Error("the thread's object can't be reached");
    thread ??= new FaultHarness(
      { ...place.world.scenario, answerTo: () => answer },
      planFaults(),
      threadId,
      place.world,
    );
    const submit = thread.submit.bind(thread);
    const lost = async (submission: Submission) => {
      await submit(submission);
      throw new Error("the receipt is lost");
    };
    return { submit: way.losesReceipts ? lost : submit, hear: thread.hear.bind(thread) };
  };
  const restAll = async () => {
    for (let isBusy = true; isBusy; ) {
      isBusy = await place.world.step(Number.POSITIVE_INFINITY);
      if (thread?.hasWork()) isBusy = (await thread.step(Number.POSITIVE_INFINITY)) || isBusy;
    }
  };
  return { ...place, way, thread: () => thread, restAll };
}

const MAX_STEPS = 5000;

/** The objects of a channel and its threads. */
export interface Objects {
  objects: () => FaultHarness[];
  /** Moves all of them on to the next timer or alarm. Returns false if none is set before `until`. */
  step: (until: number) => Promise<boolean>;
}

/** Gives each thread of the channel its own object from now on, on the channel's clock. `answerTo` is its model. */
export function openThreads(harness: OutageHarness, answerTo: (object: FaultHarness) => Story["answerTo"]): void {
  const { world } = harness;
  const { objects, step } = openObjects(world, answerTo);
  const rest = async (until = Number.POSITIVE_INFINITY) => {
    for (let steps = 0; steps < MAX_STEPS && world.clock.now() < until && (await step(until)); steps++);
  };
  const pass = async (ms: number) => {
    const until = world.clock.now() + ms;
    await rest(until);
    await world.clock.advance(Math.max(0, until - world.clock.now()));
  };
  Object.assign(harness, { objects, pass, rest: () => rest() });
}

/** The same for a world in which no people wait. */
export function openObjects(world: FaultHarness, answerTo: (object: FaultHarness) => Story["answerTo"]): Objects {
  const threads = new Map<string, FaultHarness>();
  const openThread = (threadId: string) => {
    const thread: FaultHarness =
      threads.get(threadId) ??
      new FaultHarness(
        { ...world.scenario, answerTo: (request, model) => answerTo(thread)(request, model) },
        planFaults(),
        threadId,
        world,
      );
    Object.assign(thread.variables, world.variables);
    thread.lease = world.lease;
    thread.hangs = (url) => world.hangs(url);
    thread.neighbor = (id) => (id === world.channelId ? world : null);
    threads.set(threadId, thread);
    return thread;
  };
  world.threads = openThread;
  const isThread = (id: string) =>
    world.discord.channels(PEOPLE.mira).find((one) => one.id === id)?.parentId === world.channelId;
  world.neighbor = (id) => (isThread(id) ? openThread(id) : null);
  const objects = () => [world, ...threads.values()];
  const step = async (until: number) => {
    await world.settle();
    const alarms = objects().map((one) => (one.hasWork() ? one.alarmAt : null) ?? Number.POSITIVE_INFINITY);
    const next = Math.min(world.clock.nextAt() ?? Number.POSITIVE_INFINITY, ...alarms);
    if (next > until || next === Number.POSITIVE_INFINITY) return false;
    for (const one of objects()) await one.step(Math.max(next, world.clock.now()));
    return true;
  };
  return { objects, step };
}
