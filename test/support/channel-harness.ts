// A channel's object without its runtime: the real admission, stop, tick and turn code over the in-memory store (or over a whole
// database of the test's), a clock that the test moves, a Discord that takes everything and a model that answers when it is told to. A crash ends a life: whatever of
// it still runs can neither write nor send.

import type { Channel } from "../../durable-objects/live-channel.ts";
import { admitMessage } from "../../durable-objects/operations/admit.ts";
import { clickApproval } from "../../durable-objects/operations/parking.ts";
import { rearm } from "../../durable-objects/operations/rearm.ts";
import { createReminders } from "../../durable-objects/operations/reminders.ts";
import { askAgain } from "../../durable-objects/operations/retry.ts";
import { gone, stopTurns } from "../../durable-objects/operations/stop.ts";
import { tick } from "../../durable-objects/operations/tick.ts";
import { resume } from "../../durable-objects/operations/token-end.ts";
import { listTools } from "../../durable-objects/operations/tool-listing.ts";
import { Replies } from "../../durable-objects/replies/replies.ts";
import { AlarmClock } from "../../durable-objects/schedule/alarm.ts";
import { BackstopTimers } from "../../durable-objects/schedule/backstop-timers.ts";
import { usageReport } from "../../durable-objects/settings/budgets.ts";
import { changeDeliberateMode } from "../../durable-objects/settings/deliberate.ts";
import { openMemories, openNotes } from "../../durable-objects/store/memories.ts";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openReminders } from "../../durable-objects/store/reminders.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import type { SqliteStorage } from "../../durable-objects/store/sqlite-storage.ts";
import type { TurnRegistry } from "../../durable-objects/turn/turn-registry.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type {
  AgainRequest,
  ApprovalAnswer,
  ApprovalClick,
  DeliberateAnswer,
  DeliberateRequest,
  Receipt,
  ResumeAnswer,
  ResumeRequest,
  StopAnswer,
  StopRequest,
  Submission,
  ToolsReport,
  ToolsRequest,
  UsageReport,
} from "../../src/core/state/rpc.ts";
import { pacedRest } from "../../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../../src/discord/rest/rate-limiter.ts";
import {
  type DiscordRest,
  type Endpoint,
  isByBot,
  type MessageBody,
  ORIGINAL,
  type RestResult,
} from "../../src/discord/rest/rest.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import type { Reminders } from "../../src/toolkit/define/tool-services.ts";
import { createResultCache } from "../../src/toolkit/run/cache.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/turn/ports.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { memoryStore } from "./memory-store.ts";
import { nodeSqlite } from "./node-sqlite.ts";

/** The channel and the hands that move its world. */
export interface ChannelHarness {
  store: ChannelStore;
  clock: TestClock;
  submit(submission: Submission): Receipt;
  stop(request: StopRequest): StopAnswer;
  /** The channel's reminders as a turn of this trigger gets them. */
  remindersFor(trigger: TurnRequest): Reminders;
  usage(userId: string): UsageReport;
  approve(press: ApprovalClick): ApprovalAnswer;
  resume(request: ResumeRequest): ResumeAnswer;
  again(request: AgainRequest): Receipt;
  /** The model's running stream says this and goes on; false when none runs. */
  stream(events: ModelEvent[]): boolean;
  /** Uses `/deliberate`. */
  deliberate(request: DeliberateRequest): DeliberateAnswer;
  /** Uses `/tools list`. */
  tools(request: ToolsRequest): Promise<ToolsReport>;
  /** The model's running stream says this and ends; false when none runs. */
  answer(events: ModelEvent[]): boolean;
  /** What the model was asked, in order. */
  requests: ModelRequest[];
  /** Streams that wait for their answer. */
  streams(): number;
  /** When the alarm is set to go off. */
  alarmAt(): number | null;
  /** Runs the alarm as the platform would: a wake that may find a new life. */
  runAlarm(): void;
  /** Ends the life of the object; the next call finds a new one. */
  crash(): void;
  /** The last content of each reply, by interaction token. */
  shown(): ReadonlyMap<string, string>;
  /** Lets everything that has no timer come to rest. */
  drain(): Promise<void>;
}

/** What differs from the usual channel. */
export interface ChannelHarnessOptions {
  tools?: readonly Tool[];
  config?: Partial<Config>;
  /** Everything is kept in here, as production does it; by default turns are kept by the in-memory store. */
  database?: SqliteStorage;
  /** A Discord of one's own, for one life; `isAlive` says whether that has ended. */
  rest?: (clock: TestClock, isAlive: () => boolean) => DiscordRest;
  /** When is no work left but timers? By default when no promise job is. */
  settle?: () => Promise<void>;
  startsAt?: number;
  /** The tools of a turn that begins; by default those of `tools`, at once. */
  turnRegistry?: TurnRegistry;
}

const VARIABLES = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" };

/** Makes a channel in its first life. */
export function createChannelHarness(options: ChannelHarnessOptions = {}): ChannelHarness {
  const { tools = [], config = {}, settle = macrotask, startsAt = 1_000_000 } = options;
  const parsed = parseConfig(VARIABLES);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const usual = parsed.config;
  const database = options.database ?? nodeSqlite();
  const sqlite = openSqliteStore(database);
  const store: ChannelStore = options.database ? sqlite : memoryStore();
  const clock = createTestClock(startsAt, settle);
  const shown = new Map<string, string>();
  const alarm = { at: null as number | null };
  const requests: ModelRequest[] = [];
  let waiting: { answer: (events: ModelEvent[], isLast: boolean) => void; isOpen: () => boolean }[] = [];
  const timersOfThisLife: (() => void)[] = [];
  let lives = 0;

  const model = (isAlive: () => boolean): Model => ({
    name: "told",
    async *stream(request, signal) {
      requests.push(request);
      for (let isLast = false; !isLast; ) {
        const [events, last] = await new Promise<[ModelEvent[], boolean]>((resolve) => {
          signal.addEventListener("abort", () => resolve([[], true]));
          const answer = (more: ModelEvent[], ends: boolean) => resolve([more, ends]);
          waiting.push({ answer, isOpen: () => isAlive() && !signal.aborted });
        });
        yield* events;
        isLast = last;
      }
    },
  });

  function beginLife(): Channel {
    const life = ++lives;
    const isAlive = () => life === lives;
    const registry = createToolRegistry(tools);
    const log = { info() {}, warn() {}, error() {} };
    const timers = new BackstopTimers(clock.now, {
      after(ms, callback) {
        const cancel = clock.timers.after(ms, callback);
        timersOfThisLife.push(cancel);
        return cancel;
      },
    });
    const rateLimiter = new RateLimiter(clock.now, log);
    const ports: Channel["ports"] = {
      config: { ...usual, ...config },
      store: guarded(options.database ? remembering(store) : store, isAlive),
      memories: openMemories(database),
      notes: openNotes(database),
      reminders: openReminders(database),
      rest: pacedRest(options.rest?.(clock, isAlive) ?? patientDiscord(shown, isAlive), rateLimiter, timers, clock.now),
      rateLimiter,
      voices: null,
      fetch: nowhere,
      discord: { fetch: nowhere, baseUrl: "", userAgent: "", botToken: null },
      attachments: { imageUrl: () => null, readText: async () => ({ ok: false, reason: "unreachable" }) },
      models: [model(isAlive)],
      stash: createContextStash(clock.now),
      cache: createResultCache(),
      registry,
      turnRegistry: options.turnRegistry ?? (async () => registry),
      alarm: new AlarmClock({
        async setAlarm(at) {
          alarm.at = at;
        },
        async deleteAlarm() {
          alarm.at = null;
        },
      }),
      clock: clock.now,
      timers,
      random: () => 0.5,
      log,
      instance: `life ${life}`,
      keepAlive: (work) => void work.catch((error) => isAlive() && fail(error)),
    };
    const replies = new Replies(ports, (turnId, why) => isAlive() && gone(channel, turnId, why));
    return { ports, replies, live: null, finishing: new Set(), tickFailures: 0 };
  }

  const tell = (events: ModelEvent[], isLast: boolean) => {
    waiting = waiting.filter(({ isOpen }) => isOpen());
    const stream = waiting.shift();
    stream?.answer(events, isLast);
    return stream !== undefined;
  };
  let channel = beginLife();
  return {
    store,
    clock,
    submit(submission) {
      const receipt = admitMessage(channel, submission);
      tick(channel);
      return receipt;
    },
    stop(request) {
      const answer = stopTurns(channel, request);
      tick(channel);
      return answer;
    },
    remindersFor: (trigger) => createReminders(channel, trigger),
    usage: (userId) => usageReport(channel.ports, userId),
    tools: (request) => listTools(channel, request),
    deliberate: (request) => changeDeliberateMode(channel.ports, request, channel.ports.registry),
    resume: (request) => resume(channel, request),
    again(request) {
      const receipt = askAgain(channel, request);
      tick(channel);
      return receipt;
    },
    approve(press) {
      const answer = clickApproval(channel, press);
      tick(channel);
      return answer;
    },
    requests,
    stream: (events) => tell(events, false),
    answer: (events) => tell(events, true),
    streams: () => waiting.filter(({ isOpen }) => isOpen()).length,
    alarmAt: () => alarm.at,
    runAlarm() {
      alarm.at = null;
      channel.ports.alarm.fired();
      tick(channel);
      rearm(channel);
    },
    crash() {
      for (const cancel of timersOfThisLife.splice(0)) cancel();
      channel = beginLife();
    },
    shown: () => shown,
    drain: settle,
  };
}

/** A life that has ended reads and writes nothing any more. */
function guarded(store: ChannelStore, isAlive: () => boolean): ChannelStore {
  return new Proxy(store, {
    get(target, name, receiver) {
      if (!isAlive()) throw new Error("this life of the object is over");
      return Reflect.get(target, name, receiver);
    },
  });
}

/** Takes every request; a life that has ended waits for ever. */
function patientDiscord(shown: Map<string, string>, isAlive: () => boolean): DiscordRest {
  let made = 0;
  const take = async (token: string, id: string, body: MessageBody | null): Promise<RestResult> => {
    if (!isAlive()) return new Promise(() => {});
    if (body?.content !== undefined) shown.set(token, body.content);
    return { ok: true, message: { id, content: shown.get(token) ?? "", ephemeral: false } };
  };
  const of = (route: Endpoint) => ("token" in route ? route.token : isByBot(route) ? route.channelId : route.username);
  const keyOf = (route: Endpoint, id: string) => (id === ORIGINAL ? of(route) : `${of(route)}+${id}`);
  return {
    create: (route, body) => take(keyOf(route, `${++made}`), `followup-${made}`, body),
    edit: (route, id, body) => take(keyOf(route, id), id === ORIGINAL ? `original-${of(route)}` : id, body),
    remove: (route, id) => take(keyOf(route, id), id, null),
    read: (route, id) => take(keyOf(route, id), id, null),
  };
}

const nowhere = () => Promise.reject(new Error("no network here"));

/** One turn of the event loop: every promise that can settle without a timer has settled behind it. */
const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function fail(error: unknown): never {
  throw error;
}
