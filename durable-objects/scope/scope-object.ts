// The scope's object: one for the deployment and one per server. It only connects; the rules are in src/core/access. It is not on the
// way of a message: endpoints and channels keep copies for a minute.
import { DurableObject } from "cloudflare:workers";
import { guildOf, type ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type { OwnerAnswer, OwnerRequest } from "../../src/core/access/scope-rpc.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { createScopePorts } from "./composition-root.ts";
import { carryOutForOwner, claimServer, deploymentCopy } from "./deployment.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { ServerScope } from "./server.ts";

/** Builds a scope's ports from the object's state and environment. Throws when the configuration is invalid. */
export type ScopeRoot = (ctx: DurableObjectState, env: unknown) => ScopePorts;

/** Makes the object's class for a composition root. Production and tests differ only in the root. */
export function scopeObject(root: ScopeRoot) {
  return class extends DurableObject implements ScopePort {
    #opened: { ports: ScopePorts; server: ServerScope | null } | null = null;

    /** Opened with the first call, so that the constructor never throws: a call is rejected with the reason instead. */
    get scope(): { ports: ScopePorts; server: ServerScope | null } {
      if (this.#opened) return this.#opened;
      const ports = root(this.ctx, this.env);
      const guildId = guildOf(ports.name);
      this.#opened = { ports, server: guildId === null ? null : new ServerScope(ports, guildId) };
      return this.#opened;
    }

    /** What to decide by for the next minute. */
    async copy(channelId?: string): Promise<ScopeCopy> {
      const { ports, server } = this.scope;
      return server ? server.copy(channelId ?? null) : deploymentCopy(ports, null);
    }

    /** Of the deployment: what it says about a server. */
    async copyFor(guildId: string): Promise<ScopeCopy> {
      return deploymentCopy(this.scope.ports, guildId);
    }

    /** Of the deployment: an owner has used the bot in this server. */
    async claim(guildId: string): Promise<void> {
      claimServer(this.scope.ports, guildId);
    }

    /** Of the deployment: what only owners may do. */
    async own(request: OwnerRequest): Promise<OwnerAnswer> {
      return carryOutForOwner(this.scope.ports, request);
    }
  };
}

/** The production object. */
export class ScopeObject extends scopeObject(createScopePorts) {}
