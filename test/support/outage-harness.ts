// A message harness whose Discord does not take the bot's token for a while, or can't be reached at all.

import { createReminders } from "../../durable-objects/reminders/reminders.ts";
import { createMessageHarness, type MessageHarness, type MessageHarnessOptions } from "./message-harness.ts";

/**
 * How Discord answers: `refuses` the bot's token, is `down` (no connection), is `failing` (503), `loses` the answer to what it has done, or
 * is `up`.
 */
export type Outage = "up" | "refuses" | "down" | "failing" | "loses";

/** The channel, and what was sent to Discord in vain. */
export interface OutageHarness extends MessageHarness {
  /** From now on Discord answers so. */
  become(outage: Outage): void;
  /** When requests failed, in whole seconds since the start. */
  failed: number[];
  /** Sets a reminder of whoever asked last, to be due after `ms`. */
  remind(text: string, ms: number, more?: object): void;
  /** What was logged as an error, each line once. */
  errors(): string[];
}

const REFUSED = { message: "401: Unauthorized", code: 0 };

/** Makes the channel. Discord is up. */
export async function createOutageHarness(options: MessageHarnessOptions = {}): Promise<OutageHarness> {
  const harness = await createMessageHarness(options);
  const { world } = harness;
  const { fetch } = world.discord;
  const start = world.clock.now();
  const failed: number[] = [];
  let present: Outage = "up";
  Object.assign(world.discord, {
    async fetch(request: Request): Promise<Response> {
      const answers = present === "up" || (present === "refuses" && !request.headers.has("Authorization"));
      if (answers) return fetch(request);
      failed.push(Math.floor((world.clock.now() - start) / 1000));
      if (present === "refuses") return Response.json(REFUSED, { status: 401 });
      if (present === "failing") return new Response("upstream connect error", { status: 503 });
      if (present === "loses") await fetch(request);
      throw new TypeError("fetch failed");
    },
  });
  let reminders = 0;
  return {
    ...harness,
    become(outage) {
      present = outage;
    },
    failed,
    remind(text, ms, more = {}) {
      const channel = world.life?.channel;
      const [turn] = channel?.ports.store.recentTurns(1, { userId: "", moderator: true }) ?? [];
      if (!channel || !turn) throw new Error("nobody has asked anything");
      createReminders(channel, turn).set({ key: `reminder ${++reminders}`, text, dueAt: world.now() + ms, ...more });
    },
    errors: () => [...new Set(world.logs.flatMap(({ level, text }) => (level === "error" ? [text] : [])))],
  };
}

/** The platform drops an object that is silent for so long. */
const SILENCE_MS = 70_000;

/** Lets time pass for an object that leaves memory whenever it is silent. */
export async function passForgetfully({ world, pass }: OutageHarness, ms: number): Promise<void> {
  for (const until = world.clock.now() + ms; world.clock.now() < until; ) {
    const silentUntil = Math.min(until, world.clock.now() + SILENCE_MS);
    const next = world.alarmAt ?? until;
    if (next > silentUntil) {
      world.restart();
      await pass(Math.min(until, next) - world.clock.now());
    } else await pass(Math.max(1, next - world.clock.now()));
  }
}

/** Discord is up, and a deploy begins another life. */
export function renew({ world, become }: OutageHarness): void {
  become("up");
  world.restart();
}
