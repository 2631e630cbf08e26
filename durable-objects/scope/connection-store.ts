// Stores a scope's connections: attempts that are under way, and the tokens of connected servers, all encrypted. They are two facts in the
// scope's store, each always replaced as a whole.
import type { ScopeStore } from "./scope-store.ts";

/** An attempt to connect, which is over after ten minutes. Times are epoch milliseconds. */
export interface Attempt {
  /** The nonce in the link. */
  nonce: string;
  serverId: string;
  /** The server's address when the person began: its tokens are for no other one. Missing in attempts that an older program began. */
  url?: string;
  userId: string;
  origin: string;
  at: number;
  /** The consent for which the browser was sent away, and the nonce that it must bring back; null before that and after its return. */
  away: { nonce: string; sealed: string } | null;
  /** Tokens that wait for their code, encrypted together with it; null if there are none. */
  waiting: string | null;
  /** How many wrong codes were typed. */
  wrong: number;
}

/** A connected server. */
export interface Connection {
  serverId: string;
  /** Only this address gets the token. */
  url: string;
  sealed: string;
  /** When it was connected. It tells a later connection of the same server apart. */
  at: number;
  /** When its tokens were last renewed; null if never. */
  renewedAt: number | null;
  /** Since when no server with this name and address has been configured or added; missing if one is. */
  unlistedAt?: number;
  /** The scopes that were missing for a call. The next consent asks for them too. */
  lacked: string | null;
}

const ATTEMPTS = "connection_attempts";
const CONNECTIONS = "connections";

/** The connections of one scope. Synchronous. */
export interface ConnectionStore {
  attempts(): Attempt[];
  putAttempts(attempts: readonly Attempt[]): void;
  connection(serverId: string): Connection | null;
  all(): Connection[];
  /** Replaces the connection of the same server. */
  putConnection(connection: Connection): void;
  /** False if there was none. */
  removeConnection(serverId: string): boolean;
}

/** Opens the store. */
export function openConnections(store: Pick<ScopeStore, "fact" | "putFact">): ConnectionStore {
  const all = () => store.fact<Connection[]>(CONNECTIONS) ?? [];
  const others = (serverId: string) => all().filter((one) => one.serverId !== serverId);
  return {
    attempts: () => store.fact<Attempt[]>(ATTEMPTS) ?? [],
    putAttempts: (attempts) => store.putFact(ATTEMPTS, attempts),
    all,
    connection: (serverId) => all().find((one) => one.serverId === serverId) ?? null,
    putConnection: (connection) => store.putFact(CONNECTIONS, [...others(connection.serverId), connection]),
    removeConnection(serverId) {
      const left = others(serverId);
      if (left.length === all().length) return false;
      store.putFact(CONNECTIONS, left);
      return true;
    },
  };
}
