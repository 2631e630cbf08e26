// Harness: the channel's object without its runtime. Real admission, stop, tick and turn code over the in-memory store (or a
// database of the test's own), a clock that the test moves, a Discord that accepts everything, and a model that answers when the
// test says so. Use it for the lock, the queue, stop, recovery and approvals, when Discord's side does not matter; app-harness
// adds the Worker and the local Discord. A crash ends a life: whatever of it still runs can neither write nor send.

// The product loads these modules on first use, which takes longer than one turn of the event loop. Tests that count such turns need them loaded.
import "../../durable-objects/reading/age-restriction.ts";
import "../../durable-objects/reading/catch-up.ts";
import "../../durable-objects/upkeep/compact.ts";
import "../../durable-objects/operations/draw.ts";
import "../../durable-objects/reminders/reminder-rights.ts";
import "../../durable-objects/replies/private-refusal.ts";
import "../../src/discord/rest/bot-actions.ts";
import "../../src/toolkit/run/answer-call.ts";
import "../../src/turn/sounds.ts";
import { beginHearing } from "../../durable-objects/hearing/hearing.ts";
import { inspect } from "../../durable-objects/inspect/inspection.ts";
import type { Channel } from "../../durable-objects/live-channel.ts";
import { admitMessage } from "../../durable-objects/operations/admit.ts";
import { deleteTurn } from "../../durable-objects/operations/delete-turn.ts";
import { clickApproval } from "../../durable-objects/operations/parking.ts";
import { askAgain } from "../../durable-objects/operations/retry.ts";
import { runAlarm } from "../../durable-objects/operations/run-alarm.ts";
import { endLostReply, stopTurns } from "../../durable-objects/operations/stop.ts";
import { tick } from "../../durable-objects/operations/tick.ts";
import { resume } from "../../durable-objects/operations/token-end.ts";
import { createReminders } from "../../durable-objects/reminders/reminders.ts";
import { Replies } from "../../durable-objects/replies/replies.ts";
import { AlarmClock } from "../../durable-objects/schedule/alarm.ts";
import { BackstopTimers } from "../../durable-objects/schedule/backstop-timers.ts";
import { EventRequests } from "../../durable-objects/schedule/event-requests.ts";
import { rearm } from "../../durable-objects/schedule/rearm.ts";
import { listTraces, readStatus, readTrace } from "../../durable-objects/seldom/reports.ts";
import { listTools } from "../../durable-objects/seldom/tool-listing.ts";
import { usageReport } from "../../durable-objects/settings/budgets.ts";
import { changeDeliberateMode } from "../../durable-objects/settings/change-deliberate.ts";
import { changeCheckedSetting } from "../../durable-objects/settings/change-setting.ts";
import { openCachedResults } from "../../durable-objects/store/cached-results.ts";
import { erasable } from "../../durable-objects/store/erasable.ts";
import { openMarks } from "../../durable-objects/store/marks.ts";
import { openMemories, openNotes } from "../../durable-objects/store/memories.ts";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openReminders } from "../../durable-objects/store/reminders.ts";
import { withRequestNotes } from "../../durable-objects/store/request-notes.ts";
import { openSettingHistory } from "../../durable-objects/store/setting-history.ts";
import { migrate, openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import type { TurnRegistry } from "../../durable-objects/turn/turn-registry.ts";
import { forgetPerson, resetConversation } from "../../durable-objects/upkeep/forget.ts";
import { settleUpgrade } from "../../durable-objects/upkeep/retention.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import type { TraceChoice } from "../../src/core/decisions/trace.ts";
import type { Price } from "../../src/core/money/price.ts";
import type { InspectAnswer, InspectQuestion } from "../../src/core/state/inspected.ts";
import type { Viewer } from "../../src/core/state/private-turns.ts";
import { newTurn, type TurnRequest } from "../../src/core/state/record.ts";
import type { ToolsReport, ToolsRequest } from "../../src/core/state/rpc.ts";
import type { ChannelPort, SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { FindScope } from "../../src/discord/answers/scope-port.ts";
import type { SeeChannel } from "../../src/discord/rest/channel-access.ts";
import { pacedRest } from "../../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../../src/discord/rest/rate-limiter.ts";
import type { DiscordRest, RestPorts } from "../../src/discord/rest/rest.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import type { Memories, Notes, Reminders } from "../../src/toolkit/define/tool-services.ts";
import { createResultCache } from "../../src/toolkit/run/cache.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/turn/ports.ts";
import { otherMethods, type Starting } from "./channel-methods.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { memoryStore } from "./memory-store.ts";
import { migratedSqlite, type NodeStorage } from "./node-sqlite.ts";
import { patientDiscord } from "./patient-discord.ts";
import "./read-once.ts";
import { openScopes } from "./scopes.ts";

/** The object's methods, which answer synchronously here. */
export type Immediate<Method extends keyof ChannelPort> = {
  [M in Method]: (...args: Parameters<ChannelPort[M]>) => Awaited<ReturnType<ChannelPort[M]>>;
};

type Answering = "status" | "trace" | "usage" | "reset" | "forgetPerson" | "deliberate";

/** The channel and the controls of its world. */
export interface ChannelHarness extends Immediate<Starting | Answering> {
  store: ChannelStore;
  clock: TestClock;
  /** The channel's reminders, as a turn of this request gets them. */
  remindersFor(request: TurnRequest): Reminders;
  memories(): Memories;
  notes(): Notes;
  /** The turns that `/bot trace` suggests to this person. */
  traces(viewer: Viewer): TraceChoice[];
  /** Makes the model's running stream send this and continue. Returns false if none runs. */
  stream(events: ModelEvent[]): boolean;
  /** Uses `/tools list`. */
  tools(request: ToolsRequest): Promise<ToolsReport>;
  /** Makes the model's running stream send this and end. Returns false if none runs. `of` picks the first stream by its request. */
  answer(events: ModelEvent[], of?: (request: ModelRequest) => boolean): boolean;
  /** The requests to the model, in order. */
  requests: ModelRequest[];
  /** How many streams are waiting for their answer. */
  streams(): number;
  /** The time of the alarm; null also if it is only set to delete what is too old. */
  alarmAt(): number | null;
  /** The time of the alarm if it is only set to delete what is too old. */
  retentionAt(): number | null;
  /** How often the whole storage was deleted. */
  erased(): number;
  /** Lines of level error. */
  errors: readonly string[];
  warnings: readonly { line: string; detail?: object | undefined }[];
  /** Uses `/config set`. */
  change(change: SettingChange): Promise<SettingAnswer>;
  /** Runs the alarm as the platform would, which may start a new life. */
  runAlarm(): void;
  /** Ends the life of the object; the next call finds a new one. */
  crash(): void;
  /** What the inspector reads; needs a database of the test's own. */
  inspect(question: InspectQuestion): InspectAnswer | ReadableStream;
  /** The last content of each reply, by interaction token. */
  shown(): ReadonlyMap<string, string>;
  /** The object as the Worker calls it, with every method. */
  port: ChannelPort;
  /** Lets everything that needs no timer run until it is idle. */
  drain(): Promise<void>;
}

/** How a channel differs from the default. */
export interface ChannelHarnessOptions {
  /** The scopes; by default they set no limit and take every report. */
  scope?: FindScope;
  tools?: readonly Tool[];
  config?: Partial<Config>;
  /** Stores everything here, as production does. By default the in-memory store keeps the turns. */
  database?: NodeStorage;
  /** Another Discord for one life. `isAlive` says whether that life still runs. */
  rest?: (clock: TestClock, isAlive: () => boolean) => DiscordRest;
  /** Sends one life's other requests with the bot's token. By default they fail. */
  discord?: (isAlive: () => boolean) => RestPorts;
  /** Everything except Discord and the model. By default it can't be reached. */
  fetch?: Channel["ports"]["fetch"];
  /** Another channel's object. By default it can't be reached. */
  submitTo?: Channel["ports"]["submitTo"];
  /** What people can see in a server. By default everything. */
  /** Reads files. Without it none can be read. */
  attachments?: Channel["ports"]["attachments"];
  seeChannel?: SeeChannel;
  name?: string;
  /** Resolves when no work is left except timers. By default, when no promise job is left. */
  settle?: () => Promise<void>;
  startsAt?: number;
  /** The model's price; by default it is not known. A list makes one model for each. */
  price?: Price | readonly [Price, ...Price[]];
  /** How many models a failed one can fall back to; by default none. */
  successors?: number;
  /** Whether a model accepts only text. By default none does. */
  blind?: readonly boolean[];
  /** Loads the tools of a turn that begins; by default those of `tools`, at once. */
  turnRegistry?: TurnRegistry;
  /** Models that draw and listen; by default there are none. */
  media?: Partial<Pick<Channel["ports"], "drawPicture" | "listen">>;
}

const VARIABLES = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" };

/** Makes a channel in its first life. */
export function createChannelHarness(options: ChannelHarnessOptions = {}): ChannelHarness {
  const { tools = [], config = {}, settle = macrotask, startsAt = 1_000_000 } = options;
  const parsed = parseConfig(VARIABLES);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const usual = parsed.config;
  const database = erasable(options.database ?? migratedSqlite(migrate), migrate, fail);
  const sqlite = openSqliteStore(database);
  const store: ChannelStore = options.database ? sqlite : memoryStore();
  let remembered = store;
  const clock = createTestClock(startsAt, settle);
  const shown = new Map<string, string>();
  const alarm = { at: null as number | null };
  const requests: ModelRequest[] = [];
  let waiting: {
    request: ModelRequest;
    answer: (events: ModelEvent[], isLast: boolean) => void;
    isOpen: () => boolean;
  }[] = [];
  const timersOfThisLife: (() => void)[] = [];
  let lives = 0;
  let erased = 0;
  let successors = options.successors ?? 0;
  const errors: string[] = [];
  const warnings: ChannelHarness["warnings"][number][] = [];

  const [first, ...others] = [options.price ?? null].flat();
  const model = (isAlive: () => boolean, price = first, index = 0): Model => ({
    name: "told",
    ...(price && { price }),
    ...(options.blind?.[index] && { images: false }),
    succeed: () => successors-- > 0,
    async *stream(request, signal) {
      requests.push(request);
      for (let isLast = false; !isLast; ) {
        const [events, last] = await new Promise<[ModelEvent[], boolean]>((resolve) => {
          signal.addEventListener("abort", () => resolve([[], true]));
          const answer = (more: ModelEvent[], ends: boolean) => resolve([more, ends]);
          waiting.push({ request, answer, isOpen: () => isAlive() && !signal.aborted });
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
    const log = {
      info() {},
      warn: (line: string, detail?: Record<string, unknown>) => void warnings.push({ line, detail }),
      error(line: string, detail?: Record<string, unknown>) {
        errors.push(line);
        // The product's alarm continues after an error of our own; a test must fail.
        if (line === "tick failed") fail(detail?.error);
      },
    };
    const timers = new BackstopTimers(clock.now, {
      after(ms, callback) {
        const cancel = clock.timers.after(ms, callback);
        timersOfThisLife.push(cancel);
        return cancel;
      },
    });
    const rateLimiter = new RateLimiter(clock.now, log);
    const offline = { fetch: nowhere, baseUrl: "", userAgent: "", botToken: "any, as this Discord accepts everything" };
    remembered = options.database ? remembering(store) : store;
    const noting = withRequestNotes(remembered);
    const ports: Channel["ports"] = {
      name: options.name ?? "2",
      config: { ...usual, ...config },
      store: guarded(noting, isAlive),
      requestNotes: noting,
      database,
      memories: openMemories(database),
      settingHistory: openSettingHistory(database),
      notes: openNotes(database),
      marks: openMarks(database),
      reminders: openReminders(database),
      rest: pacedRest(options.rest?.(clock, isAlive) ?? patientDiscord(shown, isAlive), rateLimiter, timers, clock.now),
      rateLimiter,
      seeChannel: options.seeChannel ?? (async () => "visible"),
      voices: null,
      submitTo: options.submitTo ?? nowhere,
      hearIn: nowhere,
      settingsOf: nowhere,
      fetch: options.fetch ?? nowhere,
      web: options.fetch ?? nowhere,
      discord: { ...offline, ...options.discord?.(isAlive), rateLimiter, clock: clock.now },
      attachments: options.attachments ?? {
        imageUrl: () => null,
        readText: async () => ({ ok: false, reason: "unreachable" }),
      },
      models: [model(isAlive), ...others.map((price, at) => model(isAlive, price, at + 1))],
      ...options.media,
      stash: createContextStash(clock.now),
      cache: createResultCache(openCachedResults(database, clock.now)),
      registry,
      findScope: options.scope ?? openScopes(),
      turnRegistry: options.turnRegistry ?? (async () => registry),
      erase() {
        erased++;
        database.erase();
      },
      alarm: new AlarmClock(
        {
          async setAlarm(at) {
            alarm.at = at;
          },
          async deleteAlarm() {
            alarm.at = null;
          },
        },
        clock.now,
      ),
      requests: new EventRequests({ clock: clock.now, log, wakeAt: () => {} }),
      clock: clock.now,
      timers,
      random: () => 0.5,
      log,
      instance: `life ${life}`,
      keepAlive: (work) => void work.catch((error) => isAlive() && fail(error)),
    };
    const replies = new Replies(ports, (turnId, why) => isAlive() && endLostReply(channel, turnId, why));
    const reporting = { isSending: false, failures: 0, retryAt: 0 };
    const still = { live: null, finishing: new Set<string>(), tickFailures: 0, compacting: null };
    return { ports, replies, hearing: beginHearing(ports), reporting, ...still };
  }

  const tell = (events: ModelEvent[], isLast: boolean, of = (_: ModelRequest) => true) => {
    waiting = waiting.filter(({ isOpen }) => isOpen());
    const stream = waiting.find(({ request }) => of(request));
    waiting = waiting.filter((one) => one !== stream);
    stream?.answer(events, isLast);
    return stream !== undefined;
  };
  let channel = beginLife();
  settleUpgrade(channel);
  const ticked = <Result>(result: Result): Result => {
    tick(channel);
    return result;
  };
  const starts: Immediate<Starting> = {
    submit: (submission) => ticked(admitMessage(channel, submission)),
    stop: (request) => ticked(stopTurns(channel, request)),
    approve: (click) => ticked(clickApproval(channel, click)),
    again: (request) => ticked(askAgain(channel, request)),
    resume: (request) => resume(channel, request),
    remove: (request) => deleteTurn(channel, request),
  };
  return {
    port: {
      submit: async (submission) => starts.submit(submission),
      stop: async (request) => starts.stop(request),
      approve: async (click) => starts.approve(click),
      again: async (request) => starts.again(request),
      resume: async (request) => starts.resume(request),
      remove: async (request) => starts.remove(request),
      ...otherMethods(() => channel),
    },
    ...starts,
    // Written through the current life's cache, so that the cache knows about it.
    store: new Proxy(store, { get: (_, name) => Reflect.get(remembered, name) }),
    clock,
    remindersFor: (request) => createReminders(channel, newTurn(request, "running", 0, 0)),
    reset: () => resetConversation(channel),
    forgetPerson: (userId) => forgetPerson(channel, userId),
    memories: () => channel.ports.memories,
    notes: () => channel.ports.notes,
    status: (viewerId) => readStatus(channel, viewerId),
    trace: (turnId, viewer) => readTrace(channel, turnId, viewer),
    traces: (viewer) => listTraces(channel, viewer),
    inspect: (question) => inspect(channel, "2", question),
    usage: (userId) => usageReport(channel.ports, userId),
    tools: (request) => listTools(channel, request),
    deliberate: (request) => changeDeliberateMode(channel.ports, request, channel.ports.registry),
    requests,
    stream: (events) => tell(events, false),
    answer: (events, of) => tell(events, true, of),
    streams: () => waiting.filter(({ isOpen }) => isOpen()).length,
    // Without an alarm nothing is read, because reading would create a new database after the last one was deleted.
    alarmAt: () => (alarm.at === null || alarm.at === store.lock().retentionAt ? null : alarm.at),
    retentionAt: () => (alarm.at !== null && alarm.at === store.lock().retentionAt ? alarm.at : null),
    erased: () => erased,
    errors,
    warnings,
    change(change) {
      return changeCheckedSetting(channel.ports, change).then((answer) => {
        rearm(channel);
        return answer;
      });
    },
    runAlarm() {
      alarm.at = null;
      const life = channel;
      try {
        runAlarm(life);
      } catch (error) {
        // If a life ends in its alarm, the platform repeats the alarm.
        if (life === channel) throw error;
        runAlarm(channel);
      }
    },
    crash() {
      for (const cancel of timersOfThisLife.splice(0)) cancel();
      channel = beginLife();
      settleUpgrade(channel);
    },
    shown: () => shown,
    drain: settle,
  };
}

/** The store of one life. Once that life has ended, it neither reads nor writes. */
function guarded(store: ChannelStore, isAlive: () => boolean): ChannelStore {
  return new Proxy(store, {
    get(target, name, receiver) {
      if (!isAlive()) throw new Error("this life of the object is over");
      return Reflect.get(target, name, receiver);
    },
  });
}

const nowhere = () => Promise.reject(new Error("no network here"));

/** One turn of the event loop: afterwards, every promise that needs no timer has settled. */
const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function fail(error: unknown): never {
  throw error;
}
