// The remote tools of the places that a channel's turns belong to: the server, or the deployment for direct messages and visits. Each place
// has signed in by itself, so each has its own tokens and its own lists.
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import {
  createRemoteTools,
  type ManifestStore,
  type RemoteOutside,
  type RemoteServer,
  type RemoteTools,
} from "../../src/mcp/remote-tools.ts";
import type { Credentials } from "../../src/mcp/session.ts";

/** Asks the scope of a place; null: it gave no answer. Never rejects. */
export type AskConnection = (guildId: string | null, request: ConnectionRequest) => Promise<ConnectionAnswer | null>;

/** Remote tools by place; `guildId` null: the deployment's. */
export type PlacedTools = (guildId: string | null) => RemoteTools;

/** A token that was disconnected is used no longer than this. */
const TOKEN_LIFE_MS = 60_000;

/** Makes the tools of each place when they are first asked for. `ask` null: nothing can be connected. */
export function createPlacedTools(
  servers: readonly RemoteServer[],
  outside: RemoteOutside,
  taken: ReadonlySet<string>,
  ask: AskConnection | null,
): PlacedTools {
  const places = new Map<string | null, RemoteTools>();
  return (guildId) => {
    const known = places.get(guildId);
    if (known) return known;
    const connectable = servers.map((server) =>
      ask === null ? server : { ...server, credentials: credentialsFor(server, guildId, ask, outside.clock) },
    );
    const made = createRemoteTools(connectable, { ...outside, store: listsOf(outside.store, guildId) }, taken);
    places.set(guildId, made);
    return made;
  };
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
