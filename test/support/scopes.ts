// Scopes for tests that are not about access: everyone may do everything, and nothing is stored.
import type { ScopeCopy } from "../../src/core/access/scope-copy.ts";
import { NO_USAGE } from "../../src/core/money/report.ts";
import type { FindScope, ScopePort } from "../../src/discord/answers/scope-port.ts";

/** A copy that lets everyone in. */
export const OPEN_COPY: ScopeCopy = {
  owners: [],
  isPaused: false,
  blocked: [],
  server: { isClaimed: true, denied: null },
  settings: {},
  isLimited: false,
};

/** For applications in which the inspector is not used. */
export const notInspected = (): never => {
  throw new Error("nothing is inspected here");
};

const NO_PERIODS = { today: NO_USAGE, month: NO_USAGE };

/** Makes scopes that answer with this copy; given methods replace theirs. */
export const openScopes =
  (parts: Partial<ScopePort> = {}): FindScope =>
  () => ({
    copy: async () => OPEN_COPY,
    copyFor: async () => OPEN_COPY,
    claim: async () => {},
    own: async () => ({ op: "unchanged" }),
    lease: async () => ({
      kind: "granted",
      allowance: { tokens: null, microUsd: null },
      until: Number.POSITIVE_INFINITY,
    }),
    report: async (reports) => reports.map(({ turnId }) => turnId),
    usage: async () => ({ user: NO_PERIODS, channel: NO_PERIODS, all: NO_PERIODS }),
    changeSetting: async () => ({ ok: false, rule: "Nothing can be set here." }),
    settings: async () => ({}),
    history: async () => [],
    ownerUsage: async () => ({ all: NO_PERIODS, dearest: [], microUsdPerDay: 0, microUsdPerMonth: 0 }),
    forgetPerson: async () => ({ channels: 0, left: 0 }),
    person: async ({ op }) =>
      ({ op: op === "export" ? "exporting" : "about", otherChannels: 0, isLeftOut: false, facts: [] }) as never,
    connection: async () => ({ op: "refused", fault: "no_key" }),
    alert: async () => {},
    mayTell: async () => true,
    inspect: async () => ({ days: [], servers: [], channels: [], serversLeftOut: 0, channelsLeftOut: 0 }),
    mayTry: async () => true,
    ...parts,
  });
