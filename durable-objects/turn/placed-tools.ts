// The remote tools of the places that a channel's turns belong to: the server, or the deployment for direct messages and visits. Each place
// has signed in by itself, so each has its own tokens and its own lists. A server also has the remote servers that were added there.
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

/** Asks the scope of a place; null: it gave no answer. Never rejects. */
export type AskConnection = (guildId: string | null, request: ConnectionRequest) => Promise<ConnectionAnswer | null>;

/** Remote tools by place; `guildId` null: the deployment's. */
export type PlacedTools = (guildId: string | null) => RemoteTools;

/** A token that was disconnected is used no longer than this. */
const TOKEN_LIFE_MS = 60_000;

/** The servers that people added to the Discord server of this channel. */
export interface AddedTools {
  /** As the channel knows them now. */
  servers: () => readonly AddedServer[];
  /** The only way to them: it checks each address. */
  fetch: RemoteOutside["fetch"];
}

/** Makes the tools of each place when they are first asked for, and again when others were added. `ask` null: nothing can be connected. */
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
  /** A name that the operator has given since belongs to the operator's server. */
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

/** The code for remote servers is read where there is one. */
function remoteTools(...[servers, outside, taken]: Parameters<typeof createRemoteTools>): RemoteTools {
  if (servers.length === 0) return async () => [];
  const opened = import("../../src/mcp/remote-tools.ts").then((remote) =>
    remote.createRemoteTools(servers, outside, taken),
  );
  return async (signal) => (await opened)(signal);
}

/** A visit must not see what a server lists for the place, nor the other way round. */
const listsOf = (store: ManifestStore, guildId: string | null): ManifestStore =>
  guildId !== null
    ? store
    : {
        manifest: (serverId) => store.manifest(`${serverId}@deployment`),
        putManifest: (serverId, json) => store.putManifest(`${serverId}@deployment`, json),
      };

/** Keeps a token for a minute. The scope is asked for one only after the server has wanted it. */
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
