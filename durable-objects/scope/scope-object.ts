// The scope's object: one for the deployment and one per server. It only connects. It is not on the way of a message: endpoints keep a copy
// for a minute, and channels ask it only where a limit holds across channels.
import { DurableObject } from "cloudflare:workers";
import type { RecordedChange } from "../../src/channel/setting-history.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type { ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type {
  ForgottenElsewhere,
  LeaseAnswer,
  LeaseRequest,
  OwnerAlert,
  OwnerAnswer,
  OwnerRequest,
  OwnerUsage,
  ScopeUsage,
} from "../../src/core/access/scope-rpc.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { ScopePort, ServerSettingAnswer, ServerSettingChange } from "../../src/discord/answers/scope-port.ts";
import { createScopePorts } from "./composition-root.ts";
import { Scope } from "./scope.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** Builds a scope's ports from the object's state and environment. Throws when the configuration is invalid. */
export type ScopeRoot = (ctx: DurableObjectState, env: unknown) => ScopePorts;

/** Makes the object's class for a composition root. Production and tests differ only in the root. */
export function scopeObject(root: ScopeRoot) {
  return class extends DurableObject implements ScopePort {
    #opened: Scope | null = null;

    /** Opened with the first call, so that the constructor never throws: a call is rejected with the reason instead. */
    get scope(): Scope {
      this.#opened ??= new Scope(root(this.ctx, this.env));
      return this.#opened;
    }

    /** What to decide by for the next minute. */
    copy(channelId?: string): Promise<ScopeCopy> {
      return this.scope.copy(channelId);
    }

    /** Of the deployment: what it says about a server. */
    copyFor(guildId: string): Promise<ScopeCopy> {
      return this.scope.copyFor(guildId);
    }

    /** Of the deployment: an owner has used the bot in this server. */
    claim(guildId: string): Promise<void> {
      return this.scope.claim(guildId);
    }

    /** Of the deployment: what only owners may do. */
    own(request: OwnerRequest): Promise<OwnerAnswer> {
      return this.scope.own(request);
    }

    /** May this turn make model calls, and for how much? */
    lease(request: LeaseRequest): Promise<LeaseAnswer> {
      return this.scope.lease(request);
    }

    /** Counts each turn once, and ends its lease. */
    report(reports: readonly TurnReport[]): Promise<string[]> {
      return this.scope.report(reports);
    }

    /** What this person, this channel and the whole scope used. */
    usage(userId: string, channelId: string): Promise<ScopeUsage> {
      return this.scope.usage(userId, channelId);
    }

    /** Has the other channels of this scope forget this person, now or later. */
    forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere> {
      return this.scope.forgetPerson(userId, exceptChannelId);
    }

    /** Of a server: sets or clears one setting. Repeating an interaction changes nothing more. */
    changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer> {
      return this.scope.changeSetting(change);
    }

    /** Of a server: its settings. */
    settings(): Promise<StoredSettings> {
      return this.scope.settings();
    }

    /** Of a server: the last changes of its settings, the newest first. */
    history(): Promise<RecordedChange[]> {
      return this.scope.history();
    }

    /** Of the deployment: what everything used. */
    ownerUsage(): Promise<OwnerUsage> {
      return this.scope.ownerUsage();
    }

    /** About remote servers that people sign in to. */
    connection(request: ConnectionRequest): Promise<ConnectionAnswer> {
      return this.scope.connection(request);
    }

    /** Of the deployment: a failure that the owners have to know. */
    alert(alert: OwnerAlert): Promise<void> {
      return this.scope.alert(alert);
    }

    /** Passes on what the deployment has not taken, and forgets people where it could not be done yet. */
    override async alarm(): Promise<void> {
      this.scope.alarm();
    }
  };
}

/** The production object. */
export class ScopeObject extends scopeObject(createScopePorts) {}
