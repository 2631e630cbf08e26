// The ports of a channel's object, as the composition root builds them. Types only.

import type { SettingHistory } from "../src/channel/setting-history.ts";
import type { StoredSettings } from "../src/channel/settings.ts";
import type { ChannelStore } from "../src/channel/store.ts";
import type { Config } from "../src/config.ts";
import type { MadePicture } from "../src/core/state/media.ts";
import type { Receipt, Submission } from "../src/core/state/rpc.ts";
import type { FindScope } from "../src/discord/answers/scope-port.ts";
import type { BotPorts } from "../src/discord/rest/bot-request.ts";
import type { SeeChannel } from "../src/discord/rest/channel-access.ts";
import type { RateLimiter } from "../src/discord/rest/rate-limiter.ts";
import type { DiscordRest } from "../src/discord/rest/rest.ts";
import type { Voices } from "../src/discord/rest/voices.ts";
import type { HeardEvent, HeardReceipt } from "../src/gateway/heard.ts";
import type { ToolRegistry } from "../src/toolkit/define/tool-cards.ts";
import type { Notes, ToolServices } from "../src/toolkit/define/tool-services.ts";
import type { ResultCache } from "../src/toolkit/run/runtime-ports.ts";
import type { ContextStash } from "../src/turn/context-restart.ts";
import type { AttachmentReader, Clock, Log, Model } from "../src/turn/ports.ts";
import type { Listen } from "../src/turn/sounds.ts";
import type { AlarmClock } from "./schedule/alarm.ts";
import type { BackstopTimers } from "./schedule/backstop-timers.ts";
import type { EventRequests } from "./schedule/event-requests.ts";
import type { Marks } from "./store/marks.ts";
import type { MemoryStore } from "./store/memories.ts";
import type { ReminderStore } from "./store/reminders.ts";
import type { RequestNotes } from "./store/request-notes.ts";
import type { SqliteStorage } from "./store/sqlite-storage.ts";
import type { TurnRegistry } from "./turn/turn-registry.ts";

/** Everything that one channel's object depends on. */
export interface ChannelPorts {
  /** The object's name: the channel's id, and in a visitor's object also the visitor's. */
  name: string;
  config: Config;
  store: ChannelStore;
  /** The database of all these stores, for what only the inspector reads. */
  database: Pick<SqliteStorage, "sql">;
  /** The requests that replies sent to Discord; stored with the turns. */
  requestNotes: RequestNotes;
  memories: MemoryStore;
  settingHistory: SettingHistory;
  notes: Notes;
  /** What the channel remembers of messages that are not turns. */
  marks: Marks;
  reminders: ReminderStore;
  /** Sends the requests of replies, each when Discord's rate limits allow it. */
  rest: DiscordRest;
  /** What this object knows about Discord's rate limits, shared by everything that it sends. */
  rateLimiter: RateLimiter;
  /** What requests of the bot itself need. Replies use `rest`. */
  discord: BotPorts;
  /** Finds out whether a person can see a channel of a server; null without a bot token. */
  seeChannel: SeeChannel | null;
  /** Webhooks for personas; null without a bot token. */
  voices: Voices | null;
  /** Finds the scopes, which count and limit what no channel can by itself. */
  findScope: FindScope;
  /** Hands a turn to another channel's object. Rejects when that can't be reached; repeating it returns the same receipt. */
  submitTo: (channelId: string, submission: Submission) => Promise<Receipt>;
  /** Passes what was heard of a message on to another channel's object. Rejects if that didn't take it; repeating it changes nothing. */
  hearIn: (channelId: string, heard: HeardEvent) => Promise<HeardReceipt>;
  /** Reads the settings of another channel: the parent of a thread. Each call may reject, and may be repeated. */
  settingsOf: (channelId: string) => Promise<StoredSettings>;
  /** Sends requests to addresses that the configuration names. */
  fetch: ToolServices["fetch"];
  /** Sends requests to addresses that people, pages and models name. */
  web: ToolServices["fetch"];
  attachments: AttachmentReader;
  /** In the order in which they are tried. */
  models: readonly [Model, ...Model[]];
  /** Draws a picture, which costs money each time. Never throws; ends early when the signal fires. Missing if no model draws. */
  drawPicture?: (prompt: string, signal: AbortSignal) => Promise<MadePicture>;
  /** Missing if no model listens to sounds. */
  listen?: Listen;
  stash: ContextStash;
  /** Tool results that may be reused, for the life of the object. */
  cache: ResultCache;
  /** The built-in tools. */
  registry: ToolRegistry;
  /** The built-in and the remote tools, for a turn that begins. */
  turnRegistry: TurnRegistry;
  /** Deletes the whole storage. The next use of a store makes a new one. */
  erase: () => void;
  alarm: AlarmClock;
  /** Is notified of each event of the object, and counts everything that leaves it. */
  requests: EventRequests;
  clock: Clock;
  /** The only way to wait. The alarm fires timers that are overdue. */
  timers: BackstopTimers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** The id of this life of the object. A turn that names another id was left by an earlier life. */
  instance: string;
  /** Keeps the object alive for work that outlives the event that started it. */
  keepAlive: (work: Promise<unknown>) => void;
}

/** Another channel's object, as this one calls it. Each call may reject, and may be repeated. */
export interface OtherChannel {
  settings(): Promise<StoredSettings>;
  submit(submission: Submission): Promise<Receipt>;
  hear(heard: HeardEvent): Promise<HeardReceipt>;
}
