// Scopes for tests that are not about access: everyone may do everything, and nothing is stored.
import type { ScopeCopy } from "../../src/core/access/scope-copy.ts";
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

/** Scopes that answer with this copy. What differs is given. */
export const openScopes =
  (parts: Partial<ScopePort> = {}): FindScope =>
  () => ({
    copy: async () => OPEN_COPY,
    copyFor: async () => OPEN_COPY,
    claim: async () => {},
    own: async () => ({ op: "unchanged" }),
    ...parts,
  });
