// The deployment's scope: its owners, the servers, who is blocked, whether everything is paused.
import type { ScopeCopy, ServerState } from "../../src/core/access/scope-copy.ts";
import type { KnownServer, OwnerAnswer, OwnerChange, OwnerRequest } from "../../src/core/access/scope-rpc.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import { firstOfMonth, type UsageSum } from "../../src/core/money/report.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { MAX_BLOCKED, type StoredServer } from "./scope-store.ts";

const PAUSED = "paused";
const OWNERS = "owners";
/** The wait before Discord is asked again after it did not answer. */
const ASK_AGAIN_MS = 60_000;

/** Returns what to decide by, for one server or (null) for direct messages. A server is listed from the first time that it is asked about. */
export async function deploymentCopy(ports: ScopePorts, guildId: string | null): Promise<ScopeCopy> {
  const { store, moneyLimits, isOpenHere } = ports;
  // If everyone may ask, a question in a server need not wait for Discord to name the owners. `/owner` works only in direct messages.
  const owners = isOpenHere && guildId !== null ? (storedOwners(ports) ?? []) : await findOwners(ports);
  return {
    owners,
    isPaused: isPaused(ports),
    blocked: store.blocked(),
    server: guildId === null ? null : stateOf(knownServer(ports, guildId)),
    settings: {},
    isLimited: moneyLimits.microUsdPerDay > 0 || moneyLimits.microUsdPerMonth > 0,
  };
}

/** Notes that an owner has used the bot in this server: from now on it works there. */
export function claimServer(ports: ScopePorts, guildId: string): void {
  const server = knownServer(ports, guildId);
  if (server.claimedAt !== null) return;
  ports.store.putServer({ ...server, claimedAt: ports.clock() });
  ports.log.info("a server was claimed", { guildId });
}

/** Carries out an owner's request. Repeating it leaves the same state. */
export function carryOutForOwner(ports: ScopePorts, request: OwnerRequest): OwnerAnswer {
  const { store, clock } = ports;
  switch (request.op) {
    case "servers":
      return {
        op: "servers",
        servers: store.servers().map((server) => describeServer(ports, server)),
        blocked: store.blocked(),
        isPaused: isPaused(ports),
      };
    case "allow": {
      const server = knownServer(ports, request.guildId);
      const isAllowed = server.denied === null && server.claimedAt !== null;
      if (!isAllowed) store.putServer({ ...server, claimedAt: server.claimedAt ?? clock(), denied: null });
      return changed(!isAllowed);
    }
    case "deny": {
      const server = knownServer(ports, request.guildId);
      const isDenied = server.denied === request.reason;
      if (!isDenied) store.putServer({ ...server, denied: request.reason });
      return changed(!isDenied);
    }
    case "block": {
      const blocked = store.block(request.userId, clock());
      return blocked === "full" ? { op: "full", limit: MAX_BLOCKED } : changed(blocked);
    }
    case "unblock":
      return changed(store.unblock(request.userId));
    case "pause": {
      const wasPaused = isPaused(ports);
      if (wasPaused !== request.isPaused) store.putFact(PAUSED, request.isPaused);
      return changed(wasPaused !== request.isPaused);
    }
  }
}

const isPaused = ({ store }: ScopePorts): boolean => store.fact<boolean>(PAUSED) ?? false;
const changed = (is: boolean): OwnerChange => ({ op: is ? "changed" : "unchanged" });

/** The owners in the variable, else those that Discord named; null if they are unknown. */
const storedOwners = ({ policy, store }: ScopePorts): readonly string[] | null =>
  policy.ownerIds ?? store.fact<string[]>(OWNERS);

/** When an object last asked Discord who the owners are, and the answer to come. */
const asked = new WeakMap<ScopePorts, { at: number; owners: Promise<readonly string[]> }>();

/**
 * Returns the owners' ids: those in the variable, else those that Discord named once. Discord is asked again only until it has named them. Callers
 * that come meanwhile wait for the same answer, because a copy without owners would be kept for a minute.
 */
export async function findOwners(ports: ScopePorts): Promise<readonly string[]> {
  const { store, askOwners, clock } = ports;
  const known = storedOwners(ports);
  if (known) return known;
  const last = asked.get(ports);
  if (last && clock() < last.at + ASK_AGAIN_MS) return last.owners;
  const owners = askOwners().then((found) => {
    if (found) store.putFact(OWNERS, found);
    return found ?? [];
  });
  asked.set(ports, { at: clock(), owners });
  return owners;
}

function knownServer({ store, clock }: ScopePorts, guildId: string): StoredServer {
  const known = store.server(guildId);
  if (known) return known;
  const server = { guildId, since: clock(), claimedAt: null, denied: null };
  store.putServer(server);
  return server;
}

const stateOf = ({ claimedAt, denied }: StoredServer): ServerState => ({ isClaimed: claimedAt !== null, denied });

const describeServer = (ports: ScopePorts, { guildId, since, claimedAt, denied }: StoredServer): KnownServer => ({
  guildId,
  since,
  isClaimed: claimedAt !== null,
  denied,
  month: monthOf(ports, guildId),
});

/** Sums up what a server used this month (UTC). */
function monthOf({ usage, clock }: ScopePorts, guildId: string): UsageSum {
  const today = utcDay(clock());
  return usage.sum("server", guildId, firstOfMonth(today), today);
}
