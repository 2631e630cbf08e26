// The object's composition root: builds a channel's store, its ports to Discord and the model, and its clock and timers.
// Nothing else in the object reads the environment.
import { readAddedServers } from "../src/channel/added-servers.ts";
import { loopbackHost } from "../src/config/addresses.ts";
import { listSecrets } from "../src/config/secrets.ts";
import { type Config, type ModelConfig, requireConfig, VERSION } from "../src/config.ts";
import { describeError } from "../src/core/describe-error.ts";
import type { ScopePort } from "../src/discord/answers/scope-port.ts";
import { createAttachmentReader } from "../src/discord/rest/attachment-reader.ts";
import { pacedRest } from "../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../src/discord/rest/rate-limiter.ts";
import { createDiscordRest } from "../src/discord/rest/rest.ts";
import { type RequestLimits, withTimeLimit } from "../src/discord/rest/time-limit.ts";
import { userAgent } from "../src/discord/rest/user-agent.ts";
import { createVoices } from "../src/discord/rest/voices.ts";
import { createOpenAiModel } from "../src/model/openai.ts";
import type { WorkersAi } from "../src/model/workers-ai.ts";
import type { ToolRegistry } from "../src/toolkit/define/tool-cards.ts";
import { createResultCache } from "../src/toolkit/run/cache.ts";
import { createScrubber } from "../src/toolkit/run/scrub.ts";
import { shipped } from "../src/tools/cards/shipped.ts";
import { createContextStash } from "../src/turn/context-restart.ts";
import type { Clock, Log, Timers } from "../src/turn/ports.ts";
import type { ChannelPorts, OtherChannel } from "./channel-ports.ts";
import { createMedia } from "./media.ts";
import { secureFetch, seeChannel, workersAiFetch } from "./read-when-used.ts";
import type { AlarmStorage } from "./schedule/alarm.ts";
import { EventRequests } from "./schedule/event-requests.ts";
import { createTime } from "./schedule/time.ts";
import { askScope } from "./scope-calls/ask-scope.ts";
import { openCachedResults } from "./store/cached-results.ts";
import { erasable } from "./store/erasable.ts";
import { openManifests } from "./store/manifests.ts";
import { openMarks } from "./store/marks.ts";
import { openMemories, openNotes } from "./store/memories.ts";
import { remembering } from "./store/remembering.ts";
import { openReminders } from "./store/reminders.ts";
import { withRequestNotes } from "./store/request-notes.ts";
import { openSettingHistory } from "./store/setting-history.ts";
import { migrate, openSqliteStore } from "./store/sqlite.ts";
import type { SqliteStorage } from "./store/sqlite-storage.ts";
import { type AskConnection, createPlacedTools } from "./turn/placed-tools.ts";
import { createTurnRegistry } from "./turn/turn-registry.ts";

/** The part of the object's state that is used here, as our own type, so that tests can make one without the runtime. */
export interface ObjectState {
  id: { readonly name?: string | undefined; toString(): string };
  storage: SqliteStorage & AlarmStorage & { deleteAll(): Promise<void> };
  waitUntil(work: Promise<void>): void;
}

/** The other objects, as the runtime binds them. */
interface Bindings {
  SCOPE: { getByName(name: string): ScopePort };
  CHANNEL: { getByName(channelId: string): OtherChannel };
  /** Missing if no model of Workers AI is configured. */
  AI?: WorkersAi;
}

/** What an object reaches outside itself; tests replace it. */
export interface Outside {
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Sends requests to addresses that people, pages and models name, and is called again for each redirect. Missing: `fetch` does it. */
  web?: Outside["fetch"];
  clock: Clock;
  timers: Timers;
  random: () => number;
  registry: ToolRegistry;
  createLog: (channelId: string) => Log;
  /** The time limits of requests to Discord. A test with fast time passes longer ones. */
  requestLimits?: RequestLimits;
}

/** Enough to distinguish channels; providers accept 64. */
const CACHE_KEY_CHARS = 32;

const runtimeTimers: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The real outside world: workerd's own functions and the built-in tools. */
export const production: Outside = {
  fetch: (url, init) => fetch(url, init),
  clock: () => Date.now(),
  timers: runtimeTimers,
  random: () => Math.random(),
  registry: shipped,
  createLog: consoleLog,
};

/**
 * Builds the ports of one object. Throws when the configuration is invalid; the Worker refuses every request before it
 * gets here.
 */
export function createChannelPorts(ctx: ObjectState, env: unknown, outside: Outside = production): ChannelPorts {
  const config = requireConfig(env);
  const bindings = env as Bindings;
  const { botToken, applicationId } = config.discord;
  const name = ctx.id.name ?? ctx.id.toString();
  const log = outside.createLog(name);
  const { clock, timers, alarm } = createTime(ctx.storage, outside, log);
  const requests = new EventRequests({ clock, log, wakeAt: (at) => alarm.arm(at) });
  const send = requests.guard(outside.fetch);
  const web = outside.web ? requests.guard(outside.web) : send;
  // The time limit is inside the guard: waiting for another event doesn't count against Discord's time.
  const fetch = requests.guard(withTimeLimit(outside.fetch, timers, outside.requestLimits));
  const rateLimiter = new RateLimiter(clock, log);
  const discord = { ...restBasics(config, log), fetch, rateLimiter, clock };
  const keepAlive = (work: Promise<unknown>) =>
    ctx.waitUntil(
      work.then(
        () => {},
        (error) => log.error("detached work failed", { error: describeError(error) }),
      ),
    );
  const { registry } = outside;
  const storage = erasable(ctx.storage, migrate, (error) =>
    log.error("the storage could not be deleted", { error: describeError(error) }),
  );
  const store = withRequestNotes(remembering(openSqliteStore(storage)));
  // A stub that threw once is broken for good, so each call gets a fresh one.
  const findScope = (name: string) => bindings.SCOPE.getByName(name);
  const askConnection: AskConnection = (guildId, request) =>
    askScope({ findScope, timers, log }, guildId, (scope) => scope.connection(request));
  const stash = createContextStash(clock);
  const remote = createPlacedTools(
    config.mcpServers,
    {
      fetch: send,
      after: (ms, callback) => timers.after(ms, callback),
      clock,
      keepAlive,
      version: VERSION,
      store: openManifests(storage),
      scrub: createScrubber(listSecrets(config)),
      showPictures: stash.putPictures,
      log: log.error,
    },
    new Set(registry.list().map(({ name }) => name)),
    config.tokenKey === null ? null : askConnection,
    {
      servers: () => readAddedServers(store.scopeNote()?.settings ?? {}),
      fetch: secureFetch(web, config.fetchUrlPrivateHosts),
    },
  );
  const attachments = createAttachmentReader({
    fetch: send,
    timers,
    userAgent: userAgent(VERSION),
    localHost: loopbackHost(config.discord.apiBaseUrl),
    log,
  });
  return {
    name,
    config,
    store,
    requestNotes: store,
    database: storage,
    memories: openMemories(storage),
    settingHistory: openSettingHistory(storage),
    notes: openNotes(storage),
    marks: openMarks(storage),
    reminders: openReminders(storage),
    rest: pacedRest(createDiscordRest(discord), rateLimiter, timers, clock),
    rateLimiter,
    discord,
    seeChannel: botToken === null ? null : seeChannel(discord),
    voices: botToken === null ? null : createVoices({ ...discord, botToken, applicationId, timers }),
    findScope,
    hearIn: (channelId, heard) => bindings.CHANNEL.getByName(channelId).hear(heard),
    submitTo: (channelId, submission) => bindings.CHANNEL.getByName(channelId).submit(submission),
    settingsOf: (channelId) => bindings.CHANNEL.getByName(channelId).settings(),
    fetch: send,
    web,
    attachments,
    models: createModels(config, ctx.id, { fetch: send, web }, bindings.AI),
    ...createMedia(config, { fetch: send, web }, attachments, bindings.AI),
    stash,
    cache: createResultCache(openCachedResults(storage, clock)),
    registry,
    turnRegistry: createTurnRegistry(registry, remote, log.warn),
    erase: storage.erase,
    alarm,
    requests,
    clock,
    timers,
    random: outside.random,
    log,
    instance: crypto.randomUUID(),
    keepAlive,
  };
}

/** Creates the models that answer, in the order in which they are tried. */
function createModels(
  { models: [first, ...others] }: Config,
  id: ObjectState["id"],
  { fetch, web }: Record<"fetch" | "web", Outside["fetch"]>,
  ai: WorkersAi | undefined,
): ChannelPorts["models"] {
  // The id is a hash, so it reveals nothing about the channel.
  const cacheKey = id.toString().slice(0, CACHE_KEY_CHARS);
  const create = ({ provider, ...model }: ModelConfig) =>
    createOpenAiModel({
      ...model,
      cacheKey,
      fetchPicture: web,
      // Configuration accepts a Workers AI model only if the binding exists.
      fetch: provider === "workers-ai" ? workersAiFetch(ai as WorkersAi) : fetch,
    });
  return [create(first), ...others.map(create)];
}

/** Returns what every request to Discord has in common. */
export const restBasics = ({ discord }: Config, log: Log) => ({
  baseUrl: discord.apiBaseUrl,
  userAgent: userAgent(VERSION),
  botToken: discord.botToken,
  // Paths are not logged, because they contain tokens.
  onLost: (method: string, error: unknown) => log.error("Discord gave no answer", { method, error: String(error) }),
});

/**
 * Writes one JSON line per entry. Each line names the channel, because workerd attributes a detached turn's lines to the
 * newest event.
 */
function consoleLog(channel: string): Log {
  const write = (level: string, line: string, detail: Record<string, unknown> = {}) =>
    JSON.stringify({ level, line, channel, ...detail });
  return {
    info: (line, detail) => console.log(write("info", line, detail)),
    warn: (line, detail) => console.warn(write("warn", line, detail)),
    error: (line, detail) => console.error(write("error", line, detail)),
  };
}
