// Whose bot it is: what the owner's variables say about servers and visitors. Types only; judge.ts has the rules, and
// src/config/access.ts reads the variables.

/** Which servers the bot works in. `claimed`: an owner has used it there. `listed`: only those of `ALLOWED_SERVERS`. */
export type ServerRule = "claimed" | "listed" | "open";

/** Who may use it in its direct messages, and where only a person brought it along. `listed`: those of `ALLOWED_USERS`. */
export type VisitorRule = "owners" | "listed" | "anyone";

/** The owner's rules. Everything is decided by ids, never by names, which anyone can choose. */
export interface AccessPolicy {
  /** Null: the variable is not set, and Discord tells who owns the application. */
  ownerIds: readonly string[] | null;
  servers: ServerRule;
  /** Servers that are allowed whatever `servers` says. */
  allowedServers: readonly string[];
  visitors: VisitorRule;
  /** People who are allowed as visitors unless only owners are. */
  allowedUsers: readonly string[];
}
