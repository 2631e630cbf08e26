// The remote tools of each place that a channel's turns belong to: the server, or the deployment for direct messages and visits. Each place
// signs in separately, so each has its own tokens and its own lists of tools. A server also has the remote servers that were added there.
import { type AddedServer, isAlike } from "../../src/channel/added-servers.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type {
  createRemoteTools,
  ManifestStore,
  RemoteOutside,
  RemoteServer,
  RemoteTools,
} from "../../src/mcp/remote-tools.ts";
import type { Credentials } from "../../src/mcp/session.ts";

/** Asks the scope of a place. Resolves with null if it gave no answer. Never rejects. */
export type AskConnection = (guildId: string | null, request: ConnectionRequest) => Promise<ConnectionAnswer | null>;

/** Returns the remote tools of a place; `guildId` null is the deployment. */
export type PlacedTools = (guildId: string | null) => RemoteTools;

/** How long a token may be used after somebody has disconnected it. */
const TOKEN_LIFE_MS = 60_000;

/** The servers that people added to the Discord server of this channel. */
export interface AddedTools {
  /** Lists them as the channel knows them now. */
  servers: () => readonly AddedServer[];
  /** The only way to reach them: it checks each address. */
  fetch: RemoteOutside["fetch"];
}

/** Creates the tools of each place on first use, and again when the added servers have changed. `ask` null: nothing can be connected. */
export function createPlacedTools(
  servers: readonly RemoteServer[],
  outside: RemoteOutside,
  taken: ReadonlySet<string>,
  ask: AskConnection | null,
  added: AddedTools,
): PlacedTools {
  const places = new Map<string | null, RemoteTools>();
  let more: { of: string; tools: RemoteTools } = { of: "", tools: async () => [] };
  const make = (guildId: string | null, some: readonly RemoteServer[], fetch: RemoteOutside["fetch"]) => {
    const connectable = some.map((server) =>
      ask === null ? server : { ...server, credentials: credentialsFor(server, guildId, ask, outside.clock) },
    );
    return remoteTools(connectable, { ...outside, fetch, store: listsOf(outside.store, guildId) }, taken);
  };
  /** Leaves out added servers whose name the operator has since given to a server of the configuration. */
  const listAdded = () => added.servers().filter((one) => servers.every(({ id }) => !isAlike(id, one.id)));
  const addedTools = (guildId: string): RemoteTools => {
    const now = listAdded();
    const of = JSON.stringify(now);
    const all = now.map((one) => ({ ...one, headers: {}, tools: null, category: {}, isAdded: true as const }));
    if (more.of !== of) more = { of, tools: make(guildId, all, added.fetch) };
    return more.tools;
  };
  return (guildId) => {
    const known = places.get(guildId) ?? make(guildId, servers, outside.fetch);
    places.set(guildId, known);
    if (guildId === null) return known;
    return async (signal) => (await Promise.all([known(signal), addedTools(guildId)(signal)])).flat();
  };
}

/** Creates remote tools. The code for them is only loaded if there is a server. */
function remoteTools(...[servers, outside, taken]: Parameters<typeof createRemoteTools>): RemoteTools {
  if (servers.length === 0) return async () => [];
  const opened = import("../../src/mcp/remote-tools.ts").then((remote) =>
    remote.createRemoteTools(servers, outside, taken),
  );
  return async (signal) => (await opened)(signal);
}

/** Keeps the deployment's lists separate: a visit must not see what a remote server lists for this Discord server, nor the reverse. */
const listsOf = (store: ManifestStore, guildId: string | null): ManifestStore =>
  guildId !== null
    ? store
    : {
        manifest: (serverId) => store.manifest(`${serverId}@deployment`),
        putManifest: (serverId, json) => store.putManifest(`${serverId}@deployment`, json),
      };

/** Keeps a token for a minute. Asks the scope for one only after the server has required it. */
function credentialsFor(
  { id: serverId, url }: RemoteServer,
  guildId: string | null,
  ask: AskConnection,
  clock: () => number,
): Credentials {
  let kept: { token: string; at: number } | null = null;
  const asked = async (refused: string | null, challenge: string | null): Promise<string | null> => {
    const answer = await ask(guildId, { op: "token", serverId, url, refused, challenge });
    const token = answer?.op === "token" ? answer.token : null;
    kept = token === null ? null : { token, at: clock() };
    return token;
  };
  return {
    async current() {
      if (kept === null) return null;
      return clock() < kept.at + TOKEN_LIFE_MS ? kept.token : asked(null, null);
    },
    renew: asked,
  };
}
