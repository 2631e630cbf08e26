// The copy of a scope (the deployment, or one server) that the endpoint keeps for a minute, so that it can refuse a stranger without waking
// anything. Types and readers; judge.ts decides by it.

/** How long a copy is used before it is read again. A copy that can't be read again stays in use. */
export const COPY_LIFE_MS = 60_000;

/** The name of the scope that everything belongs to. */
export const DEPLOYMENT = "deployment";

/** Returns the name of a place's scope: the server's, or outside servers (direct messages, conversations between people) the deployment's. */
export const scopeName = (guildId: string | null): string => (guildId === null ? DEPLOYMENT : `guild:${guildId}`);

/** Returns the server's id in a scope's name; null for the deployment. */
export const guildOf = (scope: string): string | null =>
  scope.startsWith("guild:") ? scope.slice("guild:".length) : null;

/** What the owners have decided about one server. */
export interface ServerState {
  isClaimed: boolean;
  /** Why the owners denied the server; null: they did not. */
  denied: string | null;
}

/** The copy. Readers must cope when a field is missing: during a deploy an older program may have made it. */
export interface ScopeCopy {
  /** The owners' ids; empty when no one knows them. */
  owners: readonly string[];
  isPaused: boolean;
  /** The people whom the owners blocked. */
  blocked: readonly string[];
  /** Null in the deployment's own copy. */
  server: ServerState | null;
  /** The settings of the server: key → text. */
  settings: Readonly<Record<string, string>>;
  /** A limit applies that only the scope can count, so a turn asks it before its model calls. */
  isLimited: boolean;
  /** The people who don't want their messages to be overheard here. */
  leftOut?: readonly string[];
  /** The people about whom facts are kept here. The scope is asked for facts only in a turn of one of them. */
  withFacts?: readonly string[];
}

/** The part of a scope's copy that a channel keeps, for turns that wait. */
export type ScopeNote = Pick<ScopeCopy, "settings" | "isLimited" | "leftOut" | "withFacts">;

/** Returns the part of a copy that a channel keeps. */
export const noteOf = ({ settings, isLimited, leftOut, withFacts }: ScopeCopy): ScopeNote => ({
  settings,
  isLimited,
  ...(leftOut && { leftOut }),
  ...(withFacts && { withFacts }),
});

/** Returns a function that tells by this note whether a person is left out of overheard messages and digests. */
export const leftOutBy =
  (note: ScopeNote | null) =>
  (userId: string): boolean =>
    note?.leftOut?.includes(userId) ?? false;
