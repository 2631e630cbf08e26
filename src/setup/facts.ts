// What is known while a bot is being set up. Null: not known yet. The plan decides from these facts alone.

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

/** Which model the bot uses. `kept`: the one that the Worker already has. */
export type ModelChoice =
  | { kind: "kept" }
  | { kind: "workers_ai" }
  | { kind: "key"; key: string; baseUrl: string | null; model: string | null };

/** A setting that the Worker already has, or a new answer. */
export type Setting<Value> = { kind: "kept" } | { kind: "new"; value: Value };

/** What the Worker has. Null instead of this: there is no Worker of this name. */
export interface WorkerFacts {
  /** Names of its secrets and variables. */
  names: readonly string[];
  hasAi: boolean;
}

/** All facts together. */
export interface Facts {
  token: string | null;
  application: Application | null;
  /** The accounts that the login can use. */
  accounts: readonly Account[] | "logged_out" | null;
  account: Account | null;
  subdomain: string | "none" | null;
  worker: WorkerFacts | "none" | null;
  /** No other program would lose the commands that Discord sends it, or somebody agreed to that. */
  isPlaceFree: boolean;
  model: ModelChoice | null;
  strangers: Setting<boolean> | null;
  dollarsPerDay: Setting<number> | null;
  gateway: Setting<boolean> | null;
  /** The Worker's address, without a trailing slash. */
  url: string | null;
  isHealthy: boolean;
  /** The deployed Worker is connected to the Gateway, and so receives mentions. */
  hasGateway: boolean;
  /** Discord refused the install settings, so this run doesn't try again. */
  isInstallRefused: boolean;
  /** Discord refused to switch the intent on, so this run doesn't try again. */
  isIntentRefused: boolean;
  /** This run has switched the intent on. */
  isIntentNew: boolean;
  areCommandsRegistered: boolean;
  servers: readonly Server[] | null;
  isInviteShown: boolean;
  /** The server that the bot joined while the person was watching. */
  joined: Server | null;
  isClaimed: boolean;
}

/** The facts at the start of a run. */
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
