// What the endpoint keeps of a scope (the deployment, or one server) for a minute, so that it can refuse a stranger without waking
// anything. Types and readers; judge.ts decides by it.

/** How long a copy is used before it is read again. A copy that can't be read again stays in use. */
export const COPY_LIFE_MS = 60_000;

/** The scope that everything belongs to. */
export const DEPLOYMENT = "deployment";

/** The name of the scope of a place: a server's own, else the deployment's (direct messages, conversations between people). */
export const scopeName = (guildId: string | null): string => (guildId === null ? DEPLOYMENT : `guild:${guildId}`);

/** The server's id in a scope's name; null for the deployment. */
export const guildOf = (scope: string): string | null =>
  scope.startsWith("guild:") ? scope.slice("guild:".length) : null;

/** What the owners have decided about one server. */
export interface ServerState {
  isClaimed: boolean;
  /** Why the owners denied it; null: they did not. */
  denied: string | null;
}

/** The copy. A reader treats a missing field as absent: during a deploy an older program may have made it. */
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
  /** A limit applies that only the scope can count: a turn asks it before its model calls. */
  isLimited: boolean;
  /** The people who want to be left out of what is overheard here. */
  leftOut?: readonly string[];
  /** The people of whom facts of their own are kept here. The scope is asked for facts only where the turn is theirs. */
  withFacts?: readonly string[];
}

/** The part of a scope's copy that a channel keeps, for turns that wait. */
export type ScopeNote = Pick<ScopeCopy, "settings" | "isLimited" | "leftOut" | "withFacts">;

/** The part of a copy that a channel keeps. */
export const noteOf = ({ settings, isLimited, leftOut, withFacts }: ScopeCopy): ScopeNote => ({
  settings,
  isLimited,
  ...(leftOut && { leftOut }),
  ...(withFacts && { withFacts }),
});

/** Who is to be left out of overheard messages and digests, by id, as this note says. */
export const leftOutBy =
  (note: ScopeNote | null) =>
  (userId: string): boolean =>
    note?.leftOut?.includes(userId) ?? false;
