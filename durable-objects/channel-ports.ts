// The ports of a channel's object, as its composition root hands them over. Types only.

import type { ChannelStore } from "../src/channel/store.ts";
import type { Config } from "../src/config.ts";
import type { RateLimiter } from "../src/discord/rest/rate-limiter.ts";
import type { DiscordRest, RestPorts } from "../src/discord/rest/rest.ts";
import type { Voices } from "../src/discord/rest/voices.ts";
import type { ToolRegistry } from "../src/toolkit/define/registry.ts";
import type { Memories, Notes, ToolServices } from "../src/toolkit/define/tool-services.ts";
import type { ResultCache } from "../src/toolkit/run/runtime-ports.ts";
import type { ContextStash } from "../src/turn/context-restart.ts";
import type { AttachmentReader, Clock, Log, Model } from "../src/turn/ports.ts";
import type { AlarmClock } from "./schedule/alarm.ts";
import type { BackstopTimers } from "./schedule/backstop-timers.ts";
import type { ReminderStore } from "./store/reminders.ts";
import type { TurnRegistry } from "./turn/turn-registry.ts";

/** The ports of one object. */
export interface ChannelPorts {
  config: Config;
  store: ChannelStore;
  memories: Memories;
  notes: Notes;
  reminders: ReminderStore;
  /** Requests of replies, each sent when Discord's limits allow it. */
  rest: DiscordRest;
  /** What this object knows of Discord's limits, shared by all that it sends. */
  rateLimiter: RateLimiter;
  /** What the bot's own requests need, beside those of replies. */
  discord: RestPorts;
  /** Webhooks for personas; null without the bot's token. */
  voices: Voices | null;
  fetch: ToolServices["fetch"];
  attachments: AttachmentReader;
  /** In the order in which they are tried. */
  models: readonly [Model, ...Model[]];
  stash: ContextStash;
  /** Results of tools that may be answered from memory, for the life of the object. */
  cache: ResultCache;
  /** The tools that ship. */
  registry: ToolRegistry;
  /** These and the remote ones, for a turn that begins. */
  turnRegistry: TurnRegistry;
  alarm: AlarmClock;
  clock: Clock;
  /** The one way to wait; the alarm runs what is overdue. */
  timers: BackstopTimers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** This life of the object: a turn that names another one was left behind by a life that died. */
  instance: string;
  /** Registers work that outlives the event that began it. */
  keepAlive: (work: Promise<void>) => void;
}
