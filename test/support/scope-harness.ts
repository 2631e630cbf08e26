// Harness: scopes over Node's SQLite without the runtime, on a clock that the test moves. Use it for what the deployment and the servers
// store and answer.
import { carryOutForOwner, claimServer, deploymentCopy } from "../../durable-objects/scope/deployment.ts";
import type { ScopePorts } from "../../durable-objects/scope/scope-ports.ts";
import { openScopeStore } from "../../durable-objects/scope/scope-store.ts";
import { ServerScope } from "../../durable-objects/scope/server.ts";
import { DEPLOYMENT, guildOf } from "../../src/core/access/scope-copy.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { nodeSqlite } from "./node-sqlite.ts";

/** Scopes, and what a test looks at and changes. */
export interface ScopeHarness {
  clock: { now: number };
  /** The object of this name; made when it is first asked. */
  scope(name: string): ScopePort;
  /** Ends the life of every scope; what was stored stays. */
  crash(): void;
  /** Every call that reached a scope or a channel, in order. */
  calls: string[];
  /** Channels that were used before anyone decided who may use the bot. */
  usedBefore: Set<string>;
  /** What Discord answers about the owners. */
  discordOwners: string[] | null;
  /** Nothing reaches the deployment. */
  isDown: boolean;
}

/** Makes scopes. `ownerIds`: the variable. */
export function createScopeHarness(ownerIds: readonly string[] | null = null): ScopeHarness {
  const databases = new Map<string, ReturnType<typeof nodeSqlite>>();
  let lives = new Map<string, ScopePort>();
  const harness: ScopeHarness = {
    clock: { now: 1_000_000 },
    calls: [],
    usedBefore: new Set(),
    discordOwners: null,
    isDown: false,
    crash() {
      lives = new Map();
    },
    scope(name) {
      const life = lives.get(name) ?? begin(name);
      lives.set(name, life);
      return life;
    },
  };
  const portsOf = (name: string): ScopePorts => {
    const database = databases.get(name) ?? nodeSqlite();
    databases.set(name, database);
    return {
      name,
      store: openScopeStore(database),
      ownerIds,
      async askOwners() {
        harness.calls.push("Discord: owners");
        return harness.discordOwners;
      },
      findScope: harness.scope,
      async wasUsedBefore(channelId) {
        harness.calls.push(`channel ${channelId}: used before`);
        return harness.usedBefore.has(channelId);
      },
      clock: () => harness.clock.now,
      log: { info: () => {}, error: () => {} },
    };
  };
  const begin = (name: string): ScopePort => {
    const ports = portsOf(name);
    const guildId = guildOf(name);
    const server = guildId === null ? null : new ServerScope(ports, guildId);
    const reached = (call: string) => {
      if (harness.isDown && name === DEPLOYMENT) throw new Error("the deployment's object is down");
      harness.calls.push(`${name}: ${call}`);
    };
    return {
      async copy(channelId) {
        reached("copy");
        return server ? server.copy(channelId ?? null) : deploymentCopy(ports, null);
      },
      async copyFor(of) {
        reached(`copy for ${of}`);
        return deploymentCopy(ports, of);
      },
      async claim(of) {
        reached(`claim ${of}`);
        claimServer(ports, of);
      },
      async own(request) {
        reached(request.op);
        return carryOutForOwner(ports, request);
      },
    };
  };
  return harness;
}
