// What is known while a bot is set up. Null: not known yet. The plan decides by nothing else.

/** The application as Discord describes it. */
export interface Application {
  id: string;
  name: string;
  /** In hexadecimal digits. */
  publicKey: string;
  flags: number;
  /** Who may invite it: everyone, or only its owner. */
  isPublic: boolean;
  needsCodeGrant: boolean;
  endpointUrl: string | null;
  /** `integration_types_config`. */
  installSettings: unknown;
  ownerIds: readonly string[];
  ownerName: string;
  serverCount: number;
}

/** A Cloudflare account. */
export interface Account {
  id: string;
  name: string;
}

/** A server that the bot is in; `permissions` are the bot's own there. */
export interface Server {
  id: string;
  name: string;
  permissions: bigint;
}

/** Which model the bot uses. `kept`: what the Worker has already. */
export type ModelChoice =
  | { kind: "kept" }
  | { kind: "workers_ai" }
  | { kind: "key"; key: string; baseUrl: string | null; model: string | null };

/** An answer that the Worker has already, or a new one. */
export type Setting<Value> = { kind: "kept" } | { kind: "new"; value: Value };

/** What the Worker has. `null` as the whole: there is none of this name. */
export interface WorkerFacts {
  /** Names of its secrets and variables. */
  names: readonly string[];
  hasAi: boolean;
}

/** Everything. */
export interface Facts {
  token: string | null;
  application: Application | null;
  /** False: logged out. */
  accounts: readonly Account[] | "logged_out" | null;
  account: Account | null;
  subdomain: string | "none" | null;
  worker: WorkerFacts | "none" | null;
  /** No other program loses the commands that Discord sends it, or somebody agreed that it does. */
  isPlaceFree: boolean;
  model: ModelChoice | null;
  strangers: Setting<boolean> | null;
  dollarsPerDay: Setting<number> | null;
  gateway: Setting<boolean> | null;
  /** The Worker's address, without a slash at its end. */
  url: string | null;
  isHealthy: boolean;
  /** The deployed Worker hears mentions. */
  hasGateway: boolean;
  /** Discord would not take the install settings, or not switch the intent on; it is not asked again in this run. */
  isInstallRefused: boolean;
  isIntentRefused: boolean;
  /** This run has switched it on. */
  isIntentNew: boolean;
  areCommandsRegistered: boolean;
  servers: readonly Server[] | null;
  isInviteShown: boolean;
  /** The server that the bot joined while the person was watching. */
  joined: Server | null;
  isClaimed: boolean;
}

/** At the start of a run. */
export const NOTHING: Facts = {
  token: null,
  application: null,
  accounts: null,
  account: null,
  subdomain: null,
  worker: null,
  isPlaceFree: false,
  model: null,
  strangers: null,
  dollarsPerDay: null,
  gateway: null,
  url: null,
  isHealthy: false,
  hasGateway: false,
  isInstallRefused: false,
  isIntentRefused: false,
  isIntentNew: false,
  areCommandsRegistered: false,
  servers: null,
  isInviteShown: false,
  joined: null,
  isClaimed: false,
};
