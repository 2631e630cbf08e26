// The messages about the remote servers of a place: which were added, a person's consent, and the token that follows from it. As in
// state/rpc.ts: fields are only added.

/** What is asked of the scope that keeps the tokens. */
export type ConnectionRequest =
  /** A person wants to connect a server. `origin`: where this deployment is reached by browsers. */
  | { op: "begin"; serverId: string; userId: string; origin: string }
  /** Their browser has followed the link. May run twice: the later one counts. */
  | { op: "start"; nonce: string }
  /** Their browser has come back. `query` is what it brought. Counts once. */
  | { op: "return"; nonce: string; query: string }
  /** A person has typed the code that the browser showed. */
  | { op: "confirm"; userId: string; code: string }
  | { op: "disconnect"; serverId: string }
  | { op: "list" }
  | ServerChange
  /** A channel needs the token for this address; `refused` is the one that the server did not take, `challenge` what it said. */
  | { op: "token"; serverId: string; url: string; refused: string | null; challenge: string | null };

/** How such a change is called in the history of settings. */
export const REMOTE_SERVER = "remote server";

/** Adds or removes a server of a Discord server. Repeating an interaction changes nothing more. */
export type ServerChange = { interactionId: string; serverId: string; by: string } & (
  | { op: "add"; url: string }
  | { op: "remove" }
);

/**
 * Why it can't be done. `no_key`: there is no key to keep tokens with. `no_server`: none has this name. `fixed`: its headers are
 * configured. `stale`: the link is old, was used or is somebody else's. `provider`: the server or who gives its tokens, in words of ours.
 * `wrong_code`: this person is waiting for no such code. `bad_name`, `taken`: no server may be added by this name. `bad_address`: it is not
 * asked, in words of ours. `full`: there are as many as there may be. `not_added`: none was added by this name.
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

/** The answer. `state` is what the link carries. */
export type ConnectionAnswer =
  | { op: "begun"; state: string }
  | { op: "go"; url: string }
  | { op: "code"; serverId: string; code: string }
  | { op: "connected"; serverId: string }
  | { op: "disconnected"; wasConnected: boolean }
  /** `isAdded`: people added it here; an older object does not say. */
  | { op: "listed"; servers: { serverId: string; isConnected: boolean; isAdded?: true }[] }
  /** `settings`: all of the server's; only an endpoint of the previous program reads them. */
  | { op: "changed"; serverId: string; settings: Readonly<Record<string, string>> }
  | { op: "token"; token: string | null }
  | { op: "refused"; fault: ConnectionFault; detail?: string };

/** How long a person has, from the command to the code. */
export const CONNECT_LIFE_MS = 10 * 60_000;
