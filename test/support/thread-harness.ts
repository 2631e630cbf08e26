// Harness: a channel in which each question gets a thread, and the objects of both. Use it for what a person sees in the two places.
import type { Submission } from "../../src/core/state/rpc.ts";
import { planFaults } from "../faults/plan.ts";
import { FaultHarness } from "./fault-harness.ts";
import { createMessageHarness, type MessageHarness } from "./message-harness.ts";
import type { Answer } from "./scripted-model.ts";

/** The channel; its harness knows nothing of the thread, so `restAll` takes the place of `rest`. */
export interface ThreadPlace extends MessageHarness {
  /** The thread's object; null: there is none. */
  thread(): FaultHarness | null;
  /** Changes what the way to the thread's object does. */
  way: { isOpen: boolean; losesReceipts: boolean };
  restAll(): Promise<void>;
}

/** Makes the channel; `answer` is the model's to each question. */
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
