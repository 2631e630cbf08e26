// The composition root of a scope's object. No other file of the object reads the environment.
import { accessRules } from "../../src/config/access.ts";
import { loopbackHost } from "../../src/config/addresses.ts";
import { listSecrets } from "../../src/config/secrets.ts";
import { requireConfig, VERSION } from "../../src/config.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { guildOf } from "../../src/core/access/scope-copy.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { createSeal } from "../../src/discord/answers/seal.ts";
import { answerLater } from "../../src/discord/rest/answer-later.ts";
import { readApplicationOwners } from "../../src/discord/rest/application-owners.ts";
import { sendDirectMessage } from "../../src/discord/rest/direct-message.ts";
import { askPresence } from "../../src/discord/rest/presence.ts";
import { withinLimit, withTimeLimit } from "../../src/discord/rest/time-limit.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import { checkSecureUrl } from "../../src/tools/web/public-url.ts";
import { type Outside, production, restBasics } from "../composition-root.ts";
import type { AlarmStorage } from "../schedule/alarm.ts";
import { erasable } from "../store/erasable.ts";
import { openSettingHistory } from "../store/setting-history.ts";
import type { SqliteStorage } from "../store/sqlite-storage.ts";
import { allServers } from "./added-servers.ts";
import { stateWriter } from "./connect.ts";
import { createChallenger, createOAuthFetch, randomness, whyNotAsked } from "./connection-ports.ts";
import { openConnections } from "./connection-store.ts";
import { openForgettingStore } from "./forgetting-store.ts";
import { openPeopleStore } from "./people-store.ts";
import { Scope } from "./scope.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { openScopeStore } from "./scope-store.ts";
import { openUsageStore } from "./usage-store.ts";

const MAX_FAULT_CHARS = 300;
/** How long a channel has for its answer. It answers in milliseconds, or not at all. */
const CHANNEL_LIMIT_MS = 10_000;

/** The part of the object's state that is used, as a type of its own, so that tests can make one without the runtime. */
export interface ScopeState {
  id: { readonly name?: string | undefined; toString(): string };
  storage: SqliteStorage & AlarmStorage & { deleteAll(): Promise<void> };
  waitUntil(work: Promise<void>): void;
}

/** The other objects, as the runtime binds them. */
interface Bindings {
  SCOPE: { getByName(name: string): ScopePort };
  CHANNEL: {
    getByName(name: string): Pick<ChannelPort, "wasUsedBefore" | "leaveServer" | "forgetPerson" | "exportPerson">;
  };
}

/** Opens a scope. Throws when the configuration is invalid. */
export const openScope = (ctx: ScopeState, env: unknown): Scope => new Scope(createScopePorts(ctx, env));

/** Builds the ports of one scope. Throws when the configuration is invalid; the Worker refuses every request before it gets here. */
export function createScopePorts(ctx: ScopeState, env: unknown, outside: Outside = production): ScopePorts {
  const config = requireConfig(env);
  const { discord, access, money, models, mcpServers, tokenKey, fetchUrlPrivateHosts } = config;
  const { SCOPE, CHANNEL } = env as Bindings;
  const policy = accessRules(access, discord.apiBaseUrl, null);
  const isLocal = loopbackHost(discord.apiBaseUrl) !== null;
  const isOpenHere = isLocal && policy.servers === "open" && policy.visitors === "anyone";
  const name = ctx.id.name ?? ctx.id.toString();
  const log = outside.createLog(name);
  const fetch = withTimeLimit(outside.fetch, outside.timers, outside.requestLimits);
  const rest = { ...restBasics(config, log), fetch };
  const inTime = <Answer>(asked: () => Promise<Answer>) => withinLimit(outside.timers, CHANNEL_LIMIT_MS, null, asked);
  const storage = erasable(ctx.storage, openScopeStore, (error) =>
    log.error("the storage could not be deleted", { error: String(error) }),
  );
  const store = openScopeStore(storage);
  const guildId = guildOf(name);
  const scrub = createScrubber(listSecrets(config));
  const configured = mcpServers.map(({ id, url, headers, registered = null }) => {
    const isFixed = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
    return { id, url, headers, isFixed, registered };
  });
  return {
    name,
    connections: {
      name,
      get servers() {
        return allServers(configured, store);
      },
      connections: openConnections(store),
      seal: tokenKey === null ? null : createSeal(tokenKey),
      ask: createOAuthFetch(outside.fetch, outside.timers, VERSION, fetchUrlPrivateHosts),
      askForChallenge: createChallenger(outside.fetch, outside.timers, VERSION, fetchUrlPrivateHosts),
      whyNot: (address) => whyNotAsked(address, fetchUrlPrivateHosts),
      writeState: stateWriter(name, tokenKey ?? ""),
      ...randomness,
      clock: outside.clock,
      describe: (error) => scrub.text(error instanceof Error ? error.message : String(error)).slice(0, MAX_FAULT_CHARS),
      log,
    },
    store,
    usage: openUsageStore(storage),
    forgetting: openForgettingStore(storage),
    people: openPeopleStore(storage),
    settingHistory: openSettingHistory(storage),
    toolNames: outside.registry.list().map((tool) => tool.name),
    whyNotAdded(address) {
      const checked = checkSecureUrl(address, fetchUrlPrivateHosts);
      return checked.ok ? null : checked.reason;
    },
    modelIds: models.filter((model) => isModelFor(model, guildId)).map(({ id }) => id),
    policy,
    moneyLimits: money,
    isOpenHere,
    askOwners: () => readApplicationOwners(rest),
    tellPerson:
      discord.botToken === null ? null : (userId, text, nonce) => sendDirectMessage(rest, userId, text, nonce),
    seeServer: discord.botToken === null || guildId === null ? null : () => askPresence(rest, `/guilds/${guildId}`),
    // A stub that has thrown once is unusable, so each call gets a new one.
    findScope: (scope) => SCOPE.getByName(scope),
    wasUsedBefore: (channelId) => CHANNEL.getByName(channelId).wasUsedBefore(),
    leaveChannel: (channelId, since) => inTime(() => CHANNEL.getByName(channelId).leaveServer(since)),
    forgetPersonIn: (channelId, userId) => inTime(() => CHANNEL.getByName(channelId).forgetPerson(userId)),
    exportPersonIn: (channelId, userId) => inTime(() => CHANNEL.getByName(channelId).exportPerson(userId)),
    sendExport: async (reply, content, file) => {
      const files = [{ name: file.name, type: "application/json", data: file.text }];
      const sent = await answerLater(rest, outside.timers, reply, { content, files });
      if (!sent.ok) log.error("an export was not sent", { text: sent.text });
    },
    erase: storage.erase,
    clock: outside.clock,
    alarm: { set: (at) => ctx.storage.setAlarm(at), clear: () => ctx.storage.deleteAlarm() },
    keepAlive: (work) => ctx.waitUntil(work),
    // An object with a pending timer is not put to sleep.
    stayAwake: (ms) => void outside.timers.after(ms, () => {}),
    log,
  };
}
