// A scope's object (the deployment, or one server) as the Worker and the channels see it.
import type { CheckedChange } from "../../channel/check-change.ts";
import type { RecordedChange } from "../../channel/setting-history.ts";
import type { SettingKey, StoredSettings } from "../../channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../core/access/connection-rpc.ts";
import type { ScopeInspection } from "../../core/access/inspection-rpc.ts";
import type { PersonAnswer, PersonRequest } from "../../core/access/person-rpc.ts";
import type { ScopeCopy } from "../../core/access/scope-copy.ts";
import type {
  ForgottenElsewhere,
  LeaseAnswer,
  LeaseRequest,
  OwnerAlert,
  OwnerAnswer,
  OwnerRequest,
  OwnerUsage,
  ScopeUsage,
} from "../../core/access/scope-rpc.ts";
import type { TurnReport } from "../../core/money/report.ts";

/** A change of one setting of a server. A null value clears it. `by`: the person's id. */
export interface ServerSettingChange {
  interactionId: string;
  key: string;
  value: string | null;
  by: string;
}

/**
 * The result: the value as it is stored now (null: not set), or the rule that the change broke. `settings`: all of the server's; only an
 * endpoint of the previous program reads them.
 */
export type ServerSettingAnswer =
  | { ok: true; key: SettingKey; text: string | null; settings: StoredSettings }
  | Extract<CheckedChange, { ok: false }>;

/** The object's methods. Each may reject when the object can't be reached, and each may be called twice with the same request. */
export interface ScopePort {
  /** What to decide by for the next minute. `channelId`: where someone asks. */
  copy(channelId?: string): Promise<ScopeCopy>;
  /** Deployment only: what it says about a server, for that server's own object. */
  copyFor(guildId: string): Promise<ScopeCopy>;
  /** An owner has used the bot in this server. The server's own object tells the deployment. */
  claim(guildId: string): Promise<void>;
  /** Deployment only: what only owners may do. The caller has checked that an owner asks. */
  own(request: OwnerRequest): Promise<OwnerAnswer>;
  /** May this turn make model calls, and for how much? */
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  /** Counts each turn once, and ends its lease. Returns the ids of those that are counted. */
  report(reports: readonly TurnReport[]): Promise<string[]>;
  /** What this person, this channel and the whole scope used. */
  usage(userId: string, channelId: string): Promise<ScopeUsage>;
  /**
   * Deletes this person's sums of earlier days, and has every channel in which they used the bot forget them, but the named one. What
   * can't be reached is tried again until it is done.
   */
  forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere>;
  /** What a person asks about themselves: what is kept, a file of it, to be left out of what is overheard. */
  person(request: PersonRequest): Promise<PersonAnswer>;
  /** Server only: sets or clears one setting. Repeating an interaction changes nothing more. */
  changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer>;
  /** Server only: its settings. */
  settings(): Promise<StoredSettings>;
  /** Server only: the last changes of its settings, the newest first. */
  history(): Promise<RecordedChange[]>;
  /** Deployment only: what everything used. */
  ownerUsage(): Promise<OwnerUsage>;
  /** About remote servers that people sign in to. Each request says itself what happens when it comes twice. */
  connection(request: ConnectionRequest): Promise<ConnectionAnswer>;
  /** Deployment only: tells the owners of a failure, once a day at most for each kind. Does not wait until they are told. */
  alert(alert: OwnerAlert): Promise<void>;
  /** Deployment only: may a person be told in a direct message why this message was refused? Notes that they are: they may be once an hour. */
  mayTell(userId: string, messageId: string): Promise<boolean>;
  /** What was used here in the last 30 days, for the inspector. Writes nothing. */
  inspect(): Promise<ScopeInspection>;
  /** Deployment only: may someone at this address try the inspector's token now? A wrong one counts. */
  mayTry(address: string, isRight: boolean): Promise<boolean>;
}

/** Finds a scope's object by its name. */
export type FindScope = (name: string) => ScopePort;
