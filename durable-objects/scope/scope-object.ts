// The scope's object: one for the deployment and one per server. It only connects. Messages don't pass through it: endpoints keep a copy
// for a minute, and channels ask it only for what no channel knows alone: limits across channels, facts of a person, tokens of remote servers.
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

    /** Opened with the first call, because a constructor must not throw. Where that fails the call is rejected, and the next one tries again. */
    get scope(): Promise<Scope> {
      this.#opened ??= (async () => root(this.ctx, this.env))().catch((error: unknown) => {
        this.#opened = null;
        throw error;
      });
      return this.#opened;
    }

    /** What to decide by for the next minute. */
    async copy(channelId?: string): Promise<ScopeCopy> {
      return (await this.scope).copy(channelId);
    }

    /** Deployment only: what it says about a server. */
    async copyFor(guildId: string): Promise<ScopeCopy> {
      return (await this.scope).copyFor(guildId);
    }

    /** Deployment only: an owner has used the bot in this server. */
    async claim(guildId: string): Promise<void> {
      return (await this.scope).claim(guildId);
    }

    /** Deployment only: what only owners may do. */
    async own(request: OwnerRequest): Promise<OwnerAnswer> {
      return (await this.scope).own(request);
    }

    /** May this turn make model calls, and for how much? */
    async lease(request: LeaseRequest): Promise<LeaseAnswer> {
      return (await this.scope).lease(request);
    }

    /** Counts each turn once, and ends its lease. */
    async report(reports: readonly TurnReport[]): Promise<string[]> {
      return (await this.scope).report(reports);
    }

    /** What this person, this channel and the whole scope used. */
    async usage(userId: string, channelId: string): Promise<ScopeUsage> {
      return (await this.scope).usage(userId, channelId);
    }

    /** What a person asks about themselves. */
    async person(request: PersonRequest): Promise<PersonAnswer> {
      return (await this.scope).person(request);
    }

    /** Has the other channels of this scope forget this person, now or later. */
    async forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere> {
      return (await this.scope).forgetPerson(userId, exceptChannelId);
    }

    /** Server only: sets or clears one setting. Repeating an interaction changes nothing more. */
    async changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer> {
      return (await this.scope).changeSetting(change);
    }

    /** Server only: its settings. */
    async settings(): Promise<StoredSettings> {
      return (await this.scope).settings();
    }

    /** Server only: the last changes of its settings, the newest first. */
    async history(): Promise<RecordedChange[]> {
      return (await this.scope).history();
    }

    /** Deployment only: what everything used. */
    async ownerUsage(): Promise<OwnerUsage> {
      return (await this.scope).ownerUsage();
    }

    /** About remote servers that people sign in to. */
    async connection(request: ConnectionRequest): Promise<ConnectionAnswer> {
      return (await this.scope).connection(request);
    }

    /** Deployment only: a failure that the owners have to know. */
    async alert(alert: OwnerAlert): Promise<void> {
      return (await this.scope).alert(alert);
    }

    /** Deployment only: may a person be told of this message's refusal? Notes that they are. */
    async mayTell(userId: string, messageId: string): Promise<boolean> {
      return (await this.scope).mayTell(userId, messageId);
    }

    /** What was used here in the last 30 days. */
    async inspect(): Promise<ScopeInspection> {
      return (await this.scope).inspect();
    }

    /** Deployment only: may someone at this address try the inspector's token now? */
    async mayTry(address: string, isRight: boolean): Promise<boolean> {
      return (await this.scope).mayTry(address, isRight);
    }

    /** Passes on what the deployment has not taken, and forgets people where it could not be done yet. */
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

/** The production object. Its code is a module of its own, which an isolate reads when the first of its scopes is used. */
export class ScopeObject extends scopeObject(async (ctx, env) => {
  const { openScope } = await import("./composition-root.ts");
  return openScope(ctx, env);
}) {}
