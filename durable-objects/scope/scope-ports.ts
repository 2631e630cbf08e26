// The ports of a scope's object, as its composition root builds them. Types only.
import type { SettingHistory } from "../../src/channel/setting-history.ts";
import type { ExportedConversation } from "../../src/core/access/person-rpc.ts";
import type { AccessPolicy } from "../../src/core/access/policy.ts";
import type { FindScope } from "../../src/discord/answers/scope-port.ts";
import type { DirectMessageResult } from "../../src/discord/rest/direct-message.ts";
import type { Presence } from "../../src/discord/rest/presence.ts";
import type { Log } from "../../src/turn/ports.ts";
import type { ConnectionPorts } from "./connection-ports.ts";
import type { ForgettingStore } from "./forgetting-store.ts";
import type { PeopleStore } from "./people-store.ts";
import type { ScopeStore } from "./scope-store.ts";
import type { UsageStore } from "./usage-store.ts";

/** An interaction that was answered with a private "thinking". */
export interface ReplyTo {
  applicationId: string;
  token: string;
}

/** Everything that one scope's object depends on. */
export interface ScopePorts {
  /** `deployment`, or `guild:` and the server's id. */
  name: string;
  store: ScopeStore;
  usage: UsageStore;
  forgetting: ForgettingStore;
  people: PeopleStore;
  settingHistory: SettingHistory;
  /** Remote servers that people sign in to. */
  connections: ConnectionPorts;
  /** The names of the built-in tools, which no added server may take. */
  toolNames: readonly string[];
  /** Why a server with this address can't be added, as part of a sentence; null if it can. */
  whyNotAdded: (address: string) => string | null;
  /** The ids of the models that this scope may choose. */
  modelIds: readonly string[];
  /** The rules that the owner configured, by which turns that waited are judged. */
  policy: AccessPolicy;
  /** The deployment's limits; 0 means no limit. */
  moneyLimits: { microUsdPerDay: number; microUsdPerMonth: number };
  /** The bot runs on a developer's own machine, where everyone may ask everywhere. */
  isOpenHere: boolean;
  /** Asks Discord who owns the application; null if it didn't say. Never rejects. */
  askOwners: () => Promise<readonly string[] | null>;
  /** Sends a direct message with the bot's token; null if there is no token. Never rejects. */
  tellPerson: ((userId: string, text: string, nonce: string) => Promise<DirectMessageResult>) | null;
  /** Asks Discord whether the bot is in this server; null without a server or a bot token. Never rejects. */
  seeServer: (() => Promise<Presence>) | null;
  findScope: FindScope;
  /** Whether this channel was used before anyone decided who may use the bot. Rejects when the channel can't be reached. */
  wasUsedBefore: (channelId: string) => Promise<boolean>;
  /** Tells a channel since when the bot has not been in its server. Rejects when the channel can't be reached. */
  leaveChannel: (channelId: string, since: number) => Promise<unknown>;
  /** Makes a channel forget a person. Rejects when the channel can't be reached. */
  forgetPersonIn: (channelId: string, userId: string) => Promise<unknown>;
  /** Returns what a channel keeps of a person; null if nothing. Rejects when the channel can't be reached. */
  exportPersonIn: (channelId: string, userId: string) => Promise<ExportedConversation | null>;
  /** Sends a person the JSON file that they asked for. Never rejects. */
  sendExport: (reply: ReplyTo, content: string, file: { name: string; text: string }) => Promise<void>;
  /** Deletes the whole storage. The next use of a store creates it anew. */
  erase: () => void;
  clock: () => number;
  /** The object's only alarm; it is cleared once it has fired. */
  alarm: { set(at: number): Promise<void>; clear(): Promise<void> };
  /** Keeps the object alive for background work. */
  keepAlive: (work: Promise<void>) => void;
  /** Keeps the object in memory for this long. */
  stayAwake: (ms: number) => void;
  log: Pick<Log, "info" | "error">;
}
