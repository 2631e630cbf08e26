// A server's scope: its copy of what the deployment decided, its leases, and whether the bot was used in the server before anyone decided who
// may use it.

import { placeLimits, tighterLimits } from "../../src/channel/place-limits.ts";
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import { judge } from "../../src/core/access/judge.ts";
import { DEPLOYMENT, type ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type { LeaseAnswer, LeaseRequest } from "../../src/core/access/scope-rpc.ts";
import { narrower } from "../../src/core/money/lend.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { grantLease } from "./usage.ts";

/** How long one answer of the deployment serves the endpoints that ask at nearly the same time. */
const DEPLOYMENT_COPY_MS = 5000;
/** How many channels of one server are asked whether they were used before, at most one a minute. */
const MAX_PROBES = 20;
const PROBE_GAP_MS = 60_000;

const COPY = "deploymentCopy";
const PROBED = "probed";

interface KeptCopy {
  at: number;
  copy: ScopeCopy;
}

interface Probed {
  at: number;
  channelIds: string[];
}

/** A server's scope in one life. */
export class ServerScope {
  readonly #ports: ScopePorts;
  readonly #guildId: string;
  #kept: KeptCopy | null = null;

  constructor(ports: ScopePorts, guildId: string) {
    this.#ports = ports;
    this.#guildId = guildId;
  }

  /** Returns what to decide by in this server. Rejects when the deployment can't be reached and never could be. */
  async copy(channelId: string | null): Promise<ScopeCopy> {
    const said = await this.#deploymentCopy();
    if (said.server?.isClaimed !== false || said.server.denied !== null || channelId === null) return said;
    if (!(await this.#wasUsedBefore(channelId))) return said;
    await this.claim();
    return this.#deploymentCopy();
  }

  /** Tells the deployment that the bot may be used in this server. Rejects when it can't be reached. May run twice. */
  async claim(): Promise<void> {
    await this.#ports.findScope(DEPLOYMENT).claim(this.#guildId);
    this.#kept = null;
  }

  /** Grants a lease of this server's limits and of the deployment's. Rejects when the deployment has limits and can't be reached. */
  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const { usage, policy, findScope, store, modelIds, people } = this.#ports;
    const { person, ...rest } = request;
    const copy = await this.#deploymentCopy();
    const verdict = person ? judge(person, policy, copy) : null;
    if (verdict?.kind === "refused") return verdict;
    const settings = store.settings();
    // The channel may have older settings than these.
    const here = placeLimits(resolveSettings({ own: {}, parent: {}, server: settings, modelIds }));
    const own = grantLease(this.#ports, { ...rest, limits: tighterLimits(rest.limits, here) });
    const noted = (answer: LeaseAnswer): LeaseAnswer =>
      person && answer.kind === "granted"
        ? {
            ...answer,
            note: { settings, isLimited: copy.isLimited, leftOut: people.leftOut(), withFacts: people.withFacts() },
          }
        : answer;
    if (own.kind !== "granted" || !copy.isLimited) return noted(own);
    const theirs = await findScope(DEPLOYMENT).lease(rest);
    if (theirs.kind !== "granted") {
      usage.dropLease(request.turnId);
      return theirs;
    }
    const allowance = narrower(own.allowance, theirs.allowance);
    return noted({ kind: "granted", allowance, until: Math.min(own.until, theirs.until) });
  }

  /** Returns the deployment's copy, or the last one while the deployment can't be reached. Stores it only when it has changed. */
  async #deploymentCopy(): Promise<ScopeCopy> {
    const { store, clock, findScope, log } = this.#ports;
    if (this.#kept && clock() < this.#kept.at + DEPLOYMENT_COPY_MS) return this.#kept.copy;
    const stored = this.#kept?.copy ?? store.fact<ScopeCopy>(COPY);
    try {
      const copy = await findScope(DEPLOYMENT).copyFor(this.#guildId);
      if (JSON.stringify(copy) !== JSON.stringify(stored)) store.putFact(COPY, copy);
      this.#kept = { at: clock(), copy };
      return copy;
    } catch (error) {
      log.error("the deployment's scope can't be reached", { error: String(error) });
      if (stored === null) throw error;
      return stored;
    }
  }

  /** Asks the channel whether it was used before, so that an upgraded bot keeps working in the servers in which it was used. */
  async #wasUsedBefore(channelId: string): Promise<boolean> {
    const { store, clock, wasUsedBefore, log } = this.#ports;
    const { at, channelIds } = store.fact<Probed>(PROBED) ?? { at: 0, channelIds: [] };
    const mayAsk = channelIds.length < MAX_PROBES && !channelIds.includes(channelId) && clock() >= at + PROBE_GAP_MS;
    if (!mayAsk) return false;
    try {
      const isUsed = await wasUsedBefore(channelId);
      store.putFact(PROBED, { at: clock(), channelIds: [...channelIds, channelId] } satisfies Probed);
      return isUsed;
    } catch (error) {
      log.error("a channel can't say whether it was used before", { error: String(error) });
      return false;
    }
  }
}
