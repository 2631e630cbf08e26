// The ports of a scope's object, as its composition root builds them. Types only.
import type { FindScope } from "../../src/discord/answers/scope-port.ts";
import type { Log } from "../../src/turn/ports.ts";
import type { ScopeStore } from "./scope-store.ts";

/** Everything that one scope's object depends on. */
export interface ScopePorts {
  /** `deployment`, or `guild:` and the server's id. */
  name: string;
  store: ScopeStore;
  /** Those of the variable; null: it is not set. */
  ownerIds: readonly string[] | null;
  /** Asks Discord who owns the application. Null: it did not say. Never rejects. */
  askOwners: () => Promise<readonly string[] | null>;
  findScope: FindScope;
  /** Was this channel used before anyone decided who may? Rejects when it can't be reached. */
  wasUsedBefore: (channelId: string) => Promise<boolean>;
  clock: () => number;
  log: Pick<Log, "info" | "error">;
}
