// Harness: a message harness whose Discord refuses the bot's token for a while, or can't be reached at all.

import { createReminders } from "../../durable-objects/reminders/reminders.ts";
import type { FaultHarness } from "./fault-harness.ts";
import { createMessageHarness, type MessageHarness, type MessageHarnessOptions } from "./message-harness.ts";

/**
 * How Discord answers: it `refuses` the bot's token, is `down` (no connection), is `failing` (503), `loses` the answers to what it has done,
 * `limits` every request, or is `up`. To the bot the channel is `closed`, takes no new messages (`muted`), or is a `locked` thread.
 */
export type Outage = "up" | "refuses" | "down" | "failing" | "loses" | "limits" | "closed" | "muted" | "locked";

/** How somebody closed a thread: nothing in it can be edited until somebody writes there, the bot may not write there, or it is gone. */
export type Closing = "archived" | "locked" | "deleted";

/** The channel, and the requests to Discord that failed. */
export interface OutageHarness extends MessageHarness {
  /** Sets how Discord answers from now on. */
  become(outage: Outage): void;
  /** Threads that somebody has closed, by id. */
  closed: Map<string, Closing>;
  /** When requests failed, in whole seconds since the start. */
  failed: number[];
  /** Sets a reminder for whoever asked last there, due after `ms`. Returns false if it is one too many, or nobody has asked. */
  remind(text: string, ms: number, more?: object, where?: FaultHarness): boolean;
  /** The channel's object and those of the threads that it has opened. */
  objects(): FaultHarness[];
  /** What was logged as an error, each line listed once. */
  errors(): string[];
}

/** What Discord answers instead of doing what was asked; null: no answer comes. */
const ANSWERS: Readonly<Record<Exclude<Outage, "up">, (() => Response) | null>> = {
  refuses: () => Response.json({ message: "401: Unauthorized", code: 0 }, { status: 401 }),
  down: null,
  failing: () => new Response("upstream connect error", { status: 503 }),
  loses: null,
  limits: () => Response.json({ message: "slow down", retry_after: 20, global: false }, LIMITED),
  closed: () => Response.json({ message: "Missing Access", code: 50_001 }, { status: 403 }),
  muted: () => Response.json({ message: "Missing Permissions", code: 50_013 }, { status: 403 }),
  locked: () => Response.json({ message: "Thread is locked", code: 160_005 }, { status: 403 }),
};
const ARCHIVED = () => Response.json({ message: "Thread is archived", code: 50_083 }, { status: 400 });
const LIMITED = { status: 429, headers: { "retry-after": "20" } };

/** Whether this request is answered as usual. */
function isSpared(outage: Outage, { method, url, headers }: Request, objects: FaultHarness[]): boolean {
  const isByBot = headers.has("Authorization");
  const [isOfChannel, ...isOfThread] = objects.map(
    ({ channelId }) => isByBot && url.includes(`/channels/${channelId}`),
  );
  if (outage === "refuses") return !isByBot;
  // Whoever can't see a channel can't see its threads.
  if (outage === "closed") return !isOfChannel && !isOfThread.includes(true);
  if (outage === "muted" || outage === "locked") return !isOfChannel || method !== "POST";
  return outage === "up";
}

/** What Discord answers if somebody has closed the thread; null: it does what was asked. A new message reopens an archived thread. */
function refusedIn(closed: Map<string, Closing>, { method, url }: Request): Response | null {
  const id = [...closed.keys()].find((one) => url.includes(`/channels/${one}/`) || url.includes(`thread_id=${one}`));
  const how = id === undefined || method === "GET" ? null : closed.get(id);
  if (how === "locked" && method === "POST") return ANSWERS.locked?.() ?? null;
  if (how !== "archived") return null;
  const isEdit = method !== "POST" || !url.includes("/messages");
  if (!isEdit && id !== undefined) closed.delete(id);
  return isEdit ? ARCHIVED() : null;
}

/** Makes the channel. Discord is up. */
export async function createOutageHarness(options: MessageHarnessOptions = {}): Promise<OutageHarness> {
  const harness = await createMessageHarness(options);
  const { world } = harness;
  const { fetch } = world.discord;
  const start = world.clock.now();
  const failed: number[] = [];
  let present: Outage = "up";
  const closed = new Map<string, Closing>();
  Object.assign(world.discord, {
    async fetch(request: Request): Promise<Response> {
      if (present === "up" || isSpared(present, request, outages.objects()))
        return refusedIn(closed, request) ?? fetch(request);
      failed.push(Math.floor((world.clock.now() - start) / 1000));
      if (present === "loses") await fetch(request);
      const answer = ANSWERS[present]?.();
      if (answer) return answer;
      throw new TypeError("fetch failed");
    },
  });
  let reminders = 0;
  const outages: OutageHarness = {
    ...harness,
    become(outage) {
      present = outage;
    },
    closed,
    failed,
    remind(text, ms, more = {}, where = world) {
      const channel = where.life?.channel;
      const [turn] = channel?.ports.store.recentTurns(1, { userId: "", moderator: true }) ?? [];
      if (!channel || !turn) return false;
      const wanted = { key: `reminder ${++reminders}`, text, dueAt: world.now() + ms, ...more };
      return createReminders(channel, turn).set(wanted).ok;
    },
    objects: () => [world],
    errors: () => [...new Set(world.logs.flatMap(({ level, text }) => (level === "error" ? [text] : [])))],
  };
  return outages;
}

/** After this much silence the platform drops an object from memory. */
const SILENCE_MS = 70_000;

/** Lets time pass for objects that leave memory whenever all of them have been silent long enough. */
export async function passForgetfully({ world, objects, pass }: OutageHarness, ms: number): Promise<void> {
  for (const until = world.clock.now() + ms; world.clock.now() < until; ) {
    const silentUntil = Math.min(until, world.clock.now() + SILENCE_MS);
    const next = Math.min(...objects().map(({ alarmAt }) => alarmAt ?? until));
    if (next > silentUntil) {
      for (const one of objects()) one.restart();
      await pass(Math.min(until, next) - world.clock.now());
    } else await pass(Math.max(1, next - world.clock.now()));
  }
}

/** Discord is up again, and a deploy begins new lives. */
export function renew({ objects, become }: OutageHarness): void {
  become("up");
  for (const one of objects()) one.restart();
}
