// The messages about a place's remote servers: which were added, a person's consent, and the token that comes from it. As in state/rpc.ts,
// fields are only added.

/** A request to the scope that keeps the tokens. */
export type ConnectionRequest =
  /** A person wants to connect a server. `origin`: where browsers reach this deployment. */
  | { op: "begin"; serverId: string; userId: string; origin: string }
  /** Their browser has followed the link. May run twice: the later run counts. */
  | { op: "start"; nonce: string }
  /** Their browser has come back with this `query`. Counts once. */
  | { op: "return"; nonce: string; query: string }
  /** A person has typed the code that the browser showed. */
  | { op: "confirm"; userId: string; code: string }
  | { op: "disconnect"; serverId: string }
  | { op: "list" }
  | ServerChange
  /** A channel needs the token for this address. `refused`: the token that the server did not accept; `challenge`: what it answered. */
  | { op: "token"; serverId: string; url: string; refused: string | null; challenge: string | null };

/** The name of such a change in the history of settings. */
export const REMOTE_SERVER = "remote server";

/** Adds a remote server to a Discord server, or removes one. Repeating an interaction changes nothing more. */
export type ServerChange = { interactionId: string; serverId: string; by: string } & (
  | { op: "add"; url: string }
  | { op: "remove" }
);

/**
 * Why it can't be done. `no_key`: there is no key to encrypt tokens with. `no_server`: none has this name. `fixed`: its headers are
 * configured. `stale`: the link is old, was used already or is somebody else's. `provider`: the server or the issuer of its tokens failed;
 * the detail is in our words. `wrong_code`: this person is not waiting for this code. `bad_name`, `taken`: no server may be added under this
 * name. `bad_address`: we don't send requests there; the detail is in our words. `full`: no more may be added. `not_added`: none was added
 * under this name.
 */
export type ConnectionFault =
  | "no_key"
  | "no_server"
  | "fixed"
  | "stale"
  | "provider"
  | "wrong_code"
  | "bad_name"
  | "taken"
  | "bad_address"
  | "full"
  | "not_added";

/** The answer. `state` is carried by the link. */
export type ConnectionAnswer =
  | { op: "begun"; state: string }
  | { op: "go"; url: string }
  | { op: "code"; serverId: string; code: string }
  | { op: "connected"; serverId: string }
  | { op: "disconnected"; wasConnected: boolean }
  /** `isAdded`: people added it here; an older object does not say. */
  | { op: "listed"; servers: { serverId: string; isConnected: boolean; isAdded?: true }[] }
  /** `settings`: all of the server's; read only by an endpoint of the previous program. */
  | { op: "changed"; serverId: string; settings: Readonly<Record<string, string>> }
  | { op: "token"; token: string | null }
  | { op: "refused"; fault: ConnectionFault; detail?: string };

/** How long a person has from the command to the code. */
export const CONNECT_LIFE_MS = 10 * 60_000;
