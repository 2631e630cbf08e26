// What a scope stores of connections: attempts that are under way, and the tokens of connected servers, all sealed. Two facts of the
// scope's store, always replaced as a whole.
import type { ScopeStore } from "./scope-store.ts";

/** An attempt to connect, which is over after ten minutes. Times are epoch milliseconds. */
export interface Attempt {
  /** What the link carries. */
  nonce: string;
  serverId: string;
  /** Where the server was when the person began: its tokens are for no other address. Missing in one that an older program began. */
  url?: string;
  userId: string;
  origin: string;
  at: number;
  /** The consent that the browser was sent away for, and what it has to bring back; null: it was not, or it is back already. */
  away: { nonce: string; sealed: string } | null;
  /** Tokens that wait for their code, sealed together with it; null: there are none. */
  waiting: string | null;
  /** Wrong codes so far. */
  wrong: number;
}

/** A connected server. */
export interface Connection {
  serverId: string;
  /** Only this address gets the token. */
  url: string;
  sealed: string;
  /** When it was connected; a later connection of the same server is another one. */
  at: number;
  /** When its tokens were last renewed; null: they never were. */
  renewedAt: number | null;
  /** Since when no server of this name and address is configured or added; missing: one is. */
  unlistedAt?: number;
  /** Rights that a call lacked: the next consent asks for them, too. */
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
  /** Replaces that of the same server. */
  putConnection(connection: Connection): void;
  /** False: there was none. */
  removeConnection(serverId: string): boolean;
}

/** Opens them. */
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
