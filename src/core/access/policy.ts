// The owner's variables about servers and visitors. Types only; judge.ts has the rules, and src/config/access.ts reads the variables.

/** Which servers the bot works in. `claimed`: those in which an owner has used it. `listed`: only those in `ALLOWED_SERVERS`. */
export type ServerRule = "claimed" | "listed" | "open";

/** Who may use it in its direct messages, and where only a person brought it along. `listed`: those in `ALLOWED_USERS`. */
export type VisitorRule = "owners" | "listed" | "anyone";

/** The owner's rules. Everything is decided by ids, never by names, which anyone can choose. */
export interface AccessPolicy {
  /** Null: the variable is not set, so Discord says who owns the application. */
  ownerIds: readonly string[] | null;
  servers: ServerRule;
  /** Servers that are allowed regardless of `servers`. */
  allowedServers: readonly string[];
  visitors: VisitorRule;
  /** People who are allowed as visitors, unless only owners are. */
  allowedUsers: readonly string[];
}
