// The messages to a scope's object. As in state/rpc.ts: fields are only added, and a reader treats a missing one as absent.

/** What an owner asks of the deployment. May run twice: each leaves the same state. */
export type OwnerRequest =
  | { op: "servers" }
  | { op: "allow"; guildId: string }
  | { op: "deny"; guildId: string; reason: string }
  | { op: "block" | "unblock"; userId: string }
  | { op: "pause"; isPaused: boolean };

/** A server as `/owner servers` lists it. Times are epoch milliseconds. */
export interface KnownServer {
  guildId: string;
  /** When someone first asked for the bot there. */
  since: number;
  isClaimed: boolean;
  /** Why the owners denied it; null: they did not. */
  denied: string | null;
}

/** The answer. `changed`: false when it was so already. */
export type OwnerAnswer = { op: "servers"; servers: KnownServer[]; blocked: string[]; isPaused: boolean } | OwnerChange;

/** What became of a change. `full`: the list has as many entries as it may have. */
export type OwnerChange = { op: "changed" } | { op: "unchanged" } | { op: "full"; limit: number };
