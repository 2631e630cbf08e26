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
  /** Why a server with this address can't be added, as part of a sentence; null: it can. */
  whyNotAdded: (address: string) => string | null;
  /** The ids of the models that this scope may choose. */
  modelIds: readonly string[];
  /** The owner's rules, where there is no request: for turns that waited. */
  policy: AccessPolicy;
  /** The deployment's limits; 0: none. */
  moneyLimits: { microUsdPerDay: number; microUsdPerMonth: number };
  /** On one's own machine, where everyone may ask everywhere. */
  isOpenHere: boolean;
  /** Asks Discord who owns the application. Null: it did not say. Never rejects. */
  askOwners: () => Promise<readonly string[] | null>;
  /** Sends a direct message with the bot's token; null: there is none. Never rejects. */
  tellPerson: ((userId: string, text: string, nonce: string) => Promise<DirectMessageResult>) | null;
  /** Is the bot in this server? Null: no server, or no bot's token. Never rejects. */
  seeServer: (() => Promise<Presence>) | null;
  findScope: FindScope;
  /** Was this channel used before anyone decided who may? Rejects when it can't be reached. */
  wasUsedBefore: (channelId: string) => Promise<boolean>;
  /** Tells a channel since when the bot is not in its server. Rejects when it can't be reached. */
  leaveChannel: (channelId: string, since: number) => Promise<unknown>;
  /** Has a channel forget a person. Rejects when it can't be reached. */
  forgetPersonIn: (channelId: string, userId: string) => Promise<unknown>;
  /** What a channel keeps of a person; null: nothing. Rejects when it can't be reached. */
  exportPersonIn: (channelId: string, userId: string) => Promise<ExportedConversation | null>;
  /** Brings a person the file of JSON that they wait for. Never rejects. */
  sendExport: (reply: ReplyTo, content: string, file: { name: string; text: string }) => Promise<void>;
  /** Deletes the whole storage. The next use of a store makes a new one. */
  erase: () => void;
  clock: () => number;
  /** The object's one alarm; it is gone after it fired. */
  alarm: { set(at: number): Promise<void>; clear(): Promise<void> };
  /** Keeps the object alive for work that nobody waits for. */
  keepAlive: (work: Promise<void>) => void;
  /** Keeps what the object has in memory for so long. */
  stayAwake: (ms: number) => void;
  log: Pick<Log, "info" | "error">;
}
