// Harness: scopes over Node's SQLite without the runtime, on a clock that the test moves. Use it for what the scopes of the deployment and of
// servers store and answer.

import { allServers } from "../../durable-objects/scope/added-servers.ts";
import type { ConnectionPorts } from "../../durable-objects/scope/connection-ports.ts";
import { type ConnectionStore, openConnections } from "../../durable-objects/scope/connection-store.ts";
import { openForgettingStore } from "../../durable-objects/scope/forgetting-store.ts";
import { openPeopleStore } from "../../durable-objects/scope/people-store.ts";
import { Scope } from "../../durable-objects/scope/scope.ts";
import type { ReplyTo, ScopePorts } from "../../durable-objects/scope/scope-ports.ts";
import { openScopeStore } from "../../durable-objects/scope/scope-store.ts";
import { openUsageStore } from "../../durable-objects/scope/usage-store.ts";
import { erasable } from "../../durable-objects/store/erasable.ts";
import { openSettingHistory } from "../../durable-objects/store/setting-history.ts";
import type { ExportedConversation } from "../../src/core/access/person-rpc.ts";
import { DEPLOYMENT, guildOf } from "../../src/core/access/scope-copy.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import type { Presence } from "../../src/discord/rest/presence.ts";
import { checkSecureUrl } from "../../src/tools/web/public-url.ts";
import { migratedSqlite, type NodeStorage } from "./node-sqlite.ts";

const DAY_MS = 86_400_000;

/** The scopes, and what a test reads and changes. */
export interface ScopeHarness {
  clock: { now: number };
  /** The object of this name; made when it is first used. */
  scope(name: string): ScopePort;
  /** Runs the scope's alarm, if it is set. */
  ring(name: string): Promise<void>;
  /** Ends the life of every scope; what was stored stays. */
  crash(): void;
  /** Every call that reached a scope or a channel, in order. */
  calls: string[];
  /** Channels that were used before anyone decided who may use the bot. */
  usedBefore: Set<string>;
  /** Channels that can't be reached. */
  closed: Set<string>;
  /** What Discord answers about the application's owners. */
  discordOwners: string[] | null;
  /** Whether the deployment's scope is unreachable. */
  isDown: boolean;
  /** The deployment's limits, for lives that begin later. */
  moneyLimits: { microUsdPerDay: number; microUsdPerMonth: number };
  /** The times of alarms by scope, without those that are days away and only delete what is too old. */
  alarms: Map<string, number>;
  /** The alarms that are days away. */
  farAlarms: Map<string, number>;
  /** Work in the background, which nothing awaits. */
  detached: Promise<void>[];
  /** Direct messages that were tried, in order. */
  told: { userId: string; text: string; nonce: string }[];
  /** Whether lives that begin later have the bot's token. */
  hasToken: boolean;
  /** Whether people accept no direct messages. */
  discordRefuses: boolean;
  /** Whether setting an alarm fails. */
  refusesAlarms: boolean;
  /** What connecting remote servers needs, for lives that begin later: by default no server can be connected. */
  connectionPorts: (name: string, connections: ConnectionStore) => ConnectionPorts;
  /** What Discord says about the bot in each server; without an entry it is a member. Null: there is no token. */
  presence: Map<string, Presence> | null;
  /** The servers about which Discord was asked whether the bot is a member, in order. */
  looks: string[];
  /** Private addresses that may be requested, each as `host:port`. */
  privateHosts: ReadonlySet<string>;
  /** Everything that a scope has stored, as one text. */
  rows(name: string): string;
  /** What channels keep of a person: `channel person` → what is exported. */
  kept: Map<string, ExportedConversation>;
  /** What was sent to replace a "thinking" answer, in order. */
  exports: { reply: ReplyTo; content: string; file: { name: string; text: string } }[];
  /** After this many further writes the life of the scope that makes the last one ends, before that write is stored; null: no life ends. */
  writesToDeath: number | null;
  /** Lines of level error. */
  errors: string[];
}

/** Makes scopes. `ownerIds`: the variable. */
export function createScopeHarness(ownerIds: readonly string[] | null = null): ScopeHarness {
  const databases = new Map<string, NodeStorage>();
  let lives = new Map<string, { port: ScopePort; alarm: () => Promise<void> }>();
  const harness: ScopeHarness = {
    clock: { now: 1_000_000 },
    calls: [],
    usedBefore: new Set(),
    closed: new Set(),
    discordOwners: null,
    isDown: false,
    moneyLimits: { microUsdPerDay: 0, microUsdPerMonth: 0 },
    alarms: new Map(),
    farAlarms: new Map(),
    detached: [],
    told: [],
    hasToken: true,
    discordRefuses: false,
    refusesAlarms: false,
    kept: new Map(),
    exports: [],
    errors: [],
    connectionPorts: unconnected,
    presence: new Map(),
    writesToDeath: null,
    looks: [],
    privateHosts: new Set(),
    rows: (name) => JSON.stringify(databases.get(name)?.sql.exec("SELECT * FROM facts").toArray() ?? []),
    crash() {
      lives = new Map();
    },
    scope: (name) => living(name).port,
    async ring(name) {
      const isSet = [harness.alarms, harness.farAlarms].map((alarms) => alarms.delete(name)).includes(true);
      if (isSet) await living(name).alarm();
    },
  };
  const portsOf = (name: string): ScopePorts => {
    const kept = databases.get(name) ?? migratedSqlite(openScopeStore);
    databases.set(name, kept);
    const clear = () => {
      harness.alarms.delete(name);
      harness.farAlarms.delete(name);
    };
    const life = mortal(kept, harness, clear);
    const database = erasable(life, openScopeStore, (error) => void harness.errors.push(String(error)));
    const guildId = guildOf(name);
    const store = openScopeStore(database);
    const connected = harness.connectionPorts(name, openConnections(store));
    return {
      name,
      store,
      connections: {
        ...connected,
        get servers() {
          return allServers(connected.servers, store);
        },
      },
      toolNames: ["fetch_url", "recall"],
      whyNotAdded(address) {
        const checked = checkSecureUrl(address, harness.privateHosts);
        return checked.ok ? null : checked.reason;
      },
      usage: openUsageStore(database),
      forgetting: openForgettingStore(database),
      people: openPeopleStore(database),
      settingHistory: openSettingHistory(database),
      modelIds: ["quick", "deep"],
      policy: { ownerIds, servers: "claimed", allowedServers: [], visitors: "owners", allowedUsers: [] },
      moneyLimits: harness.moneyLimits,
      isOpenHere: false,
      async askOwners() {
        harness.calls.push("Discord: owners");
        return harness.discordOwners;
      },
      tellPerson: harness.hasToken
        ? async (userId, text, nonce) => {
            harness.told.push({ userId, text, nonce });
            return harness.discordRefuses ? { ok: false, kind: "unreachable", text: "no messages here" } : { ok: true };
          }
        : null,
      seeServer:
        guildId === null || harness.presence === null
          ? null
          : async () => {
              harness.looks.push(guildId);
              return harness.presence?.get(guildId) ?? "here";
            },
      findScope: harness.scope,
      async leaveChannel(channelId, since) {
        if (harness.closed.has(channelId)) throw new Error("this channel can't be reached");
        harness.calls.push(`channel ${channelId}: left at ${since}`);
      },
      erase: database.erase,
      async wasUsedBefore(channelId) {
        harness.calls.push(`channel ${channelId}: used before`);
        return harness.usedBefore.has(channelId);
      },
      async forgetPersonIn(channelId, userId) {
        if (harness.closed.has(channelId)) throw new Error("this channel can't be reached");
        harness.calls.push(`channel ${channelId}: forget ${userId}`);
      },
      async exportPersonIn(channelId, userId) {
        if (harness.closed.has(channelId)) throw new Error("this channel can't be reached");
        return harness.kept.get(`${channelId} ${userId}`) ?? null;
      },
      async sendExport(reply, content, file) {
        harness.exports.push({ reply, content, file });
      },
      clock: () => harness.clock.now,
      alarm: {
        async set(at) {
          if (harness.refusesAlarms || life.isDead()) throw new Error("no alarm can be set");
          const isFar = at > harness.clock.now + 2 * DAY_MS;
          (isFar ? harness.farAlarms : harness.alarms).set(name, at);
          (isFar ? harness.alarms : harness.farAlarms).delete(name);
        },
        async clear() {
          if (!life.isDead()) clear();
        },
      },
      keepAlive: (work) => void harness.detached.push(work),
      stayAwake: () => {},
      log: { info: () => {}, error: (line) => void harness.errors.push(line) },
    };
  };
  const living = (name: string) => {
    const life = lives.get(name) ?? begin(name);
    lives.set(name, life);
    return life;
  };
  const begin = (name: string) => {
    const scope = new Scope(portsOf(name));
    /** Records the call, and passes it to the scope unless the scope is down. */
    const reached = <Answer>(call: string, work: () => Promise<Answer>): Promise<Answer> => {
      if (harness.isDown && name === DEPLOYMENT) return Promise.reject(new Error("the deployment's object is down"));
      harness.calls.push(`${name}: ${call}`);
      return work();
    };
    const port: ScopePort = {
      copy: (channelId) => reached("copy", () => scope.copy(channelId)),
      copyFor: (of) => reached(`copy for ${of}`, () => scope.copyFor(of)),
      claim: (of) => reached(`claim ${of}`, () => scope.claim(of)),
      own: (request) => reached(request.op, () => scope.own(request)),
      lease: (request) => reached("lease", () => scope.lease(request)),
      report: (reports) => reached("report", () => scope.report(reports)),
      usage: (userId, channelId) => reached("usage", () => scope.usage(userId, channelId)),
      person: (request) => reached(`person ${request.op}`, () => scope.person(request)),
      forgetPerson: (userId, except) => reached("forgetPerson", () => scope.forgetPerson(userId, except)),
      changeSetting: (change) => reached(`change ${change.key}`, () => scope.changeSetting(change)),
      settings: () => reached("settings", () => scope.settings()),
      history: () => reached("history", () => scope.history()),
      ownerUsage: () => reached("ownerUsage", () => scope.ownerUsage()),
      connection: (request) => reached(`connection ${request.op}`, () => scope.connection(request)),
      inspect: () => reached("inspect", () => scope.inspect()),
      mayTry: (address, isRight) => reached(`try from ${address}`, () => scope.mayTry(address, isRight)),
      mayTell: (userId, messageId) => reached(`tell ${userId}`, () => scope.mayTell(userId, messageId)),
      alert: (alert) => reached(`alert ${alert.kind}`, () => scope.alert(alert)),
    };
    return { port, alarm: () => scope.alarm() };
  };
  return harness;
}

/** The storage of one life, unusable after its death. `clear`: deletes the alarm with the storage, as Cloudflare does. */
function mortal(
  storage: NodeStorage,
  harness: Pick<ScopeHarness, "writesToDeath">,
  clear: () => void,
): NodeStorage & { isDead: () => boolean } {
  let isDead = false;
  let isWithin = false;
  const live = (isWrite: boolean) => {
    if (isWrite && harness.writesToDeath !== null && --harness.writesToDeath === 0) isDead = true;
    if (isDead) throw new Error("this life is over");
  };
  return {
    sql: {
      exec(query, ...values) {
        live(!isWithin && !query.startsWith("SELECT"));
        return storage.sql.exec(query, ...values);
      },
    },
    transactionSync: (work) =>
      storage.transactionSync(() => {
        isWithin = true;
        try {
          const result = work();
          live(true);
          return result;
        } finally {
          isWithin = false;
        }
      }),
    deleteAll() {
      live(true);
      clear();
      return storage.deleteAll();
    },
    isDead: () => isDead,
  };
}

/** The ports of a scope to which no remote server can be connected. */
const unconnected = (name: string, connections: ConnectionStore): ConnectionPorts => {
  const unused = () => {
    throw new Error("nothing is connected here");
  };
  return {
    name,
    connections,
    servers: [],
    seal: null,
    ask: unused,
    askForChallenge: unused,
    whyNot: () => null,
    writeState: unused,
    pkce: unused,
    nonce: unused,
    letters: unused,
    clock: () => 0,
    describe: String,
    log: { info: () => {}, error: () => {} },
  };
};
