// The scope's Durable Object class: one object for the deployment and one per server. It only forwards to the scope. Messages don't pass through
// it: endpoints keep a copy for a minute, and channels ask only for what they can't know: shared limits, people's facts, remote servers' tokens.
import { DurableObject } from "cloudflare:workers";
import type { RecordedChange } from "../../src/channel/setting-history.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type { ScopeInspection } from "../../src/core/access/inspection-rpc.ts";
import type { PersonAnswer, PersonRequest } from "../../src/core/access/person-rpc.ts";
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
import { production } from "../composition-root.ts";
import { ringScope } from "./ring-scope.ts";
import type { Scope } from "./scope.ts";

/** Opens a scope. Throws or rejects when the configuration is invalid. */
export type ScopeRoot = (ctx: DurableObjectState, env: unknown) => Scope | Promise<Scope>;

/** Makes the object's class for a composition root. Production and tests differ only in the root. */
export function scopeObject(root: ScopeRoot) {
  return class extends DurableObject implements ScopePort {
    #opened: Promise<Scope> | null = null;

    /** Opens with the first call, because a constructor must not throw. If that fails the call is rejected, and the next one tries again. */
    get scope(): Promise<Scope> {
      this.#opened ??= (async () => root(this.ctx, this.env))().catch((error: unknown) => {
        this.#opened = null;
        throw error;
      });
      return this.#opened;
    }

    /** Returns what endpoints decide by for the next minute. */
    async copy(channelId?: string): Promise<ScopeCopy> {
      return (await this.scope).copy(channelId);
    }

    /** Deployment only: returns what it decided about a server. */
    async copyFor(guildId: string): Promise<ScopeCopy> {
      return (await this.scope).copyFor(guildId);
    }

    /** Deployment only: notes that an owner has used the bot in this server. */
    async claim(guildId: string): Promise<void> {
      return (await this.scope).claim(guildId);
    }

    /** Deployment only: carries out what only owners may do. */
    async own(request: OwnerRequest): Promise<OwnerAnswer> {
      return (await this.scope).own(request);
    }

    /** Decides whether this turn may make model calls, and for how much. */
    async lease(request: LeaseRequest): Promise<LeaseAnswer> {
      return (await this.scope).lease(request);
    }

    /** Counts each turn once and ends its lease. Returns the ids of the counted turns. */
    async report(reports: readonly TurnReport[]): Promise<string[]> {
      return (await this.scope).report(reports);
    }

    /** Returns what this person, this channel and the whole scope used. */
    async usage(userId: string, channelId: string): Promise<ScopeUsage> {
      return (await this.scope).usage(userId, channelId);
    }

    /** Answers a person's request about themselves. */
    async person(request: PersonRequest): Promise<PersonAnswer> {
      return (await this.scope).person(request);
    }

    /** Makes the other channels of this scope forget this person, now or later. */
    async forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere> {
      return (await this.scope).forgetPerson(userId, exceptChannelId);
    }

    /** Server only: sets or clears one setting. Repeating an interaction changes nothing more. */
    async changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer> {
      return (await this.scope).changeSetting(change);
    }

    /** Server only: returns its settings. */
    async settings(): Promise<StoredSettings> {
      return (await this.scope).settings();
    }

    /** Server only: returns the last changes of its settings, the newest first. */
    async history(): Promise<RecordedChange[]> {
      return (await this.scope).history();
    }

    /** Deployment only: returns the usage of everything. */
    async ownerUsage(): Promise<OwnerUsage> {
      return (await this.scope).ownerUsage();
    }

    /** Answers a request about remote servers that people add or sign in to. */
    async connection(request: ConnectionRequest): Promise<ConnectionAnswer> {
      return (await this.scope).connection(request);
    }

    /** Deployment only: notifies the owners of a failure. */
    async alert(alert: OwnerAlert): Promise<void> {
      return (await this.scope).alert(alert);
    }

    /** Deployment only: whether a person may be notified that this message was refused; if so, notes that they were. */
    async mayTell(userId: string, messageId: string): Promise<boolean> {
      return (await this.scope).mayTell(userId, messageId);
    }

    /** Returns what was used here in the last 30 days. */
    async inspect(): Promise<ScopeInspection> {
      return (await this.scope).inspect();
    }

    /** Deployment only: whether someone at this address may try the inspector's token now. */
    async mayTry(address: string, isRight: boolean): Promise<boolean> {
      return (await this.scope).mayTry(address, isRight);
    }

    /** Does what is due: passes reports on, forgets people where that has failed so far, deletes what is too old, looks for the bot. */
    override async alarm(): Promise<void> {
      const { ctx } = this;
      await ringScope(this.scope, {
        setAlarm: (at) => ctx.storage.setAlarm(at),
        clock: production.clock,
        logError: production.createLog(ctx.id.name ?? ctx.id.toString()).error,
      });
    }
  };
}

/** The production object. Its code is a separate module, which an isolate loads when the first of its scopes is used. */
export class ScopeObject extends scopeObject(async (ctx, env) => {
  const { openScope } = await import("./composition-root.ts");
  return openScope(ctx, env);
}) {}
