// The interface of a scope's object (the deployment's, or one server's) for the Worker and the channels.
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
 * The result: the value as it is stored now (null: not set), or the rule that the change broke. `settings`: all settings of the server; only an
 * endpoint of the previous program reads them.
 */
export type ServerSettingAnswer =
  | { ok: true; key: SettingKey; text: string | null; settings: StoredSettings }
  | Extract<CheckedChange, { ok: false }>;

/** The object's methods. Each may reject if the object can't be reached, and may be called twice with the same request. */
export interface ScopePort {
  /** Returns what decides about access for the next minute. `channelId`: where someone asks. */
  copy(channelId?: string): Promise<ScopeCopy>;
  /** Deployment only: returns what it says about a server, for that server's own object. */
  copyFor(guildId: string): Promise<ScopeCopy>;
  /** Notes that an owner has used the bot in this server. The server's own object passes that on to the deployment's. */
  claim(guildId: string): Promise<void>;
  /** Deployment only: does what only owners may do. The caller has checked that an owner asks. */
  own(request: OwnerRequest): Promise<OwnerAnswer>;
  /** Decides whether this turn may make model calls, and lends it part of the limits. */
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  /** Counts each turn once, and ends its lease. Returns the ids of the turns that are counted. */
  report(reports: readonly TurnReport[]): Promise<string[]>;
  /** Returns what this person, this channel and the whole scope used. */
  usage(userId: string, channelId: string): Promise<ScopeUsage>;
  /**
   * Deletes this person's sums of earlier days, and makes every channel in which they used the bot forget them, except the named one. Channels
   * that can't be reached are tried again until it is done.
   */
  forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere>;
  /** Handles a request about one person: what is kept, an export of it, their own facts, and being left out of what is overheard. */
  person(request: PersonRequest): Promise<PersonAnswer>;
  /** Server only: sets or clears one setting. Repeating an interaction changes nothing more. */
  changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer>;
  /** Server only: returns its settings. */
  settings(): Promise<StoredSettings>;
  /** Server only: lists the last changes of its settings, newest first. */
  history(): Promise<RecordedChange[]>;
  /** Deployment only: returns what all scopes used. */
  ownerUsage(): Promise<OwnerUsage>;
  /** Handles requests about remote servers that people sign in to. Each request documents what happens if it comes twice. */
  connection(request: ConnectionRequest): Promise<ConnectionAnswer>;
  /** Deployment only: informs the owners of a failure, at most once a day for each kind. Does not wait for the delivery. */
  alert(alert: OwnerAlert): Promise<void>;
  /** Deployment only: whether a direct message may explain to a person why this message was refused, once an hour. Counts it as sent. */
  mayTell(userId: string, messageId: string): Promise<boolean>;
  /** Returns what was used here in the last 30 days, for the inspector. Writes nothing. */
  inspect(): Promise<ScopeInspection>;
  /** Deployment only: whether someone at this address may try the inspector's token now. Counts a wrong one. */
  mayTry(address: string, isRight: boolean): Promise<boolean>;
}

/** Finds a scope's object by its name. */
export type FindScope = (name: string) => ScopePort;
