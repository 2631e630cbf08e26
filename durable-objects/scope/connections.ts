// Answers a scope's requests about connected remote servers.
import type { ConnectionAnswer, ConnectionRequest, ServerChange } from "../../src/core/access/connection-rpc.ts";
import { beginConnection, confirmConnection, returnFromConsent, startConsent } from "./connect.ts";
import type { ConnectionPorts } from "./connection-ports.ts";
import { createTokens, openGrant } from "./tokens.ts";

/** Requests about a consent, and about the tokens that it brings. */
export type ConsentRequest = Exclude<ConnectionRequest, ServerChange>;

/** Makes the function that answers them in one life of a scope. It rejects only because of a bug or the storage. */
export function createConnections(ports: ConnectionPorts): (request: ConsentRequest) => Promise<ConnectionAnswer> {
  const tokens = createTokens(ports);
  return async (request) => {
    switch (request.op) {
      case "begin":
        return beginConnection(ports, request);
      case "start":
        return startConsent(ports, request.nonce);
      case "return":
        return returnFromConsent(ports, request.nonce, request.query);
      case "confirm":
        return confirmConnection(ports, request.userId, request.code);
      case "disconnect":
        return { op: "disconnected", wasConnected: ports.connections.removeConnection(request.serverId) };
      case "list":
        return { op: "listed", servers: await listServers(ports) };
      case "token":
        return tokens(request);
    }
  };
}

/** Lists the servers that people can sign in to. One is connected if its tokens can still be decrypted. */
const listServers = (ports: ConnectionPorts) =>
  Promise.all(
    ports.servers
      .filter(({ isFixed }) => !isFixed && ports.seal !== null)
      .map(async ({ id, url, isAdded }) => ({
        serverId: id,
        ...(isAdded && { isAdded }),
        isConnected: ports.connections.connection(id)?.url === url && (await openGrant(ports, id)) !== null,
      })),
  );
