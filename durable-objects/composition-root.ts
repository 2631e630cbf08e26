// The object's composition root: builds a channel's store, its ports to Discord and the model, and its clock and timers.
// Nothing else in the object reads the environment.
import { loopbackHost, type ModelConfig, parseConfig, VERSION } from "../src/config.ts";
import { createAttachmentReader } from "../src/discord/rest/attachment-reader.ts";
import { createSeeChannel } from "../src/discord/rest/channel-access.ts";
import { pacedRest } from "../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../src/discord/rest/rate-limiter.ts";
import { createDiscordRest } from "../src/discord/rest/rest.ts";
import { userAgent } from "../src/discord/rest/user-agent.ts";
import { createVoices } from "../src/discord/rest/voices.ts";
import { createRemoteTools } from "../src/mcp/remote-tools.ts";
import { createOpenAiModel } from "../src/model/openai.ts";
import { createToolRegistry } from "../src/toolkit/define/registry.ts";
import type { Tool } from "../src/toolkit/define/tool.ts";
import { createResultCache } from "../src/toolkit/run/cache.ts";
import { tools } from "../src/tools/index.ts";
import { createContextStash } from "../src/turn/context-restart.ts";
import type { Clock, Log, Timers } from "../src/turn/ports.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { AlarmClock } from "./schedule/alarm.ts";
import { BackstopTimers } from "./schedule/backstop-timers.ts";
import { openManifests } from "./store/manifests.ts";
import { openMemories, openNotes } from "./store/memories.ts";
import { remembering } from "./store/remembering.ts";
import { openReminders } from "./store/reminders.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import { createTurnRegistry } from "./turn/turn-registry.ts";

/** The outside world of an object; a test passes its own. */
export interface Outside {
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  clock: Clock;
  timers: Timers;
  random: () => number;
  tools: readonly Tool[];
  createLog: (channelId: string) => Log;
}

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
  tools,
  createLog: consoleLog,
};

/**
 * Builds the ports of one object. Throws when the configuration is invalid; the Worker refuses every request before it
 * gets here.
 */
export function createChannelPorts(ctx: DurableObjectState, env: unknown, outside: Outside = production): ChannelPorts {
  const parsed = parseConfig(env);
  if (!parsed.ok) throw new Error(`not configured: ${parsed.problems.join("; ")}`);
  const { config } = parsed;
  const { apiBaseUrl: baseUrl, botToken, applicationId } = config.discord;
  const discord = { fetch: outside.fetch, baseUrl, userAgent: userAgent(VERSION), botToken };
  const timers = new BackstopTimers(outside.clock, outside.timers);
  const log = outside.createLog(ctx.id.name ?? ctx.id.toString());
  const rateLimiter = new RateLimiter(outside.clock, log);
  const keepAlive = (work: Promise<void>) => ctx.waitUntil(work);
  const registry = createToolRegistry(outside.tools);
  const store = remembering(openSqliteStore(ctx.storage));
  const remote = createRemoteTools(
    config.mcpServers,
    {
      fetch: outside.fetch,
      after: (ms, callback) => timers.after(ms, callback),
      clock: outside.clock,
      keepAlive,
      version: VERSION,
      store: openManifests(ctx.storage),
      log: log.warn,
    },
    new Set(registry.list().map(({ name }) => name)),
  );
  return {
    config,
    store,
    memories: openMemories(ctx.storage),
    notes: openNotes(ctx.storage),
    reminders: openReminders(ctx.storage),
    rest: pacedRest(createDiscordRest(discord), rateLimiter, timers, outside.clock),
    rateLimiter,
    discord,
    seeChannel: botToken === null ? null : createSeeChannel({ ...discord, rateLimiter, clock: outside.clock }),
    voices: botToken === null ? null : createVoices({ ...discord, botToken, applicationId }),
    fetch: outside.fetch,
    attachments: createAttachmentReader({
      fetch: outside.fetch,
      timers,
      userAgent: userAgent(VERSION),
      localHost: loopbackHost(config.discord.apiBaseUrl),
    }),
    models: [
      createModel(config.models[0], outside),
      ...config.models.slice(1).map((model) => createModel(model, outside)),
    ],
    stash: createContextStash(outside.clock),
    cache: createResultCache(),
    registry,
    turnRegistry: createTurnRegistry(registry, remote, log.warn),
    alarm: new AlarmClock(ctx.storage),
    clock: outside.clock,
    timers,
    random: outside.random,
    log,
    instance: crypto.randomUUID(),
    keepAlive,
  };
}

const createModel = (model: ModelConfig, outside: Outside) => createOpenAiModel({ ...model, fetch: outside.fetch });

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
