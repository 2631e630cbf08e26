// Gives channels the tokens of connected servers, and renews each token once for all of them.
import type { ConnectionAnswer } from "../../src/core/access/connection-rpc.ts";
import { readChallenge } from "../../src/mcp/oauth/challenge.ts";
import { type Grant, renew } from "../../src/mcp/oauth/grant.ts";
import type { ConnectionPorts } from "./connection-ports.ts";
import type { Connection } from "./connection-store.ts";

/** A token that ends this soon is renewed before it is used; one that can't be renewed is used to its end. */
const RENEW_BEFORE_MS = 30_000;
/** The shortest time between two renewals: a server that refuses a token right after its renewal would refuse the next one, too. */
const RENEW_GAP_MS = 60_000;

const purposeOf = ({ name }: ConnectionPorts, serverId: string): string => `grant ${name} ${serverId}`;

/** Encrypts tokens; null if there is no key. */
export async function sealGrant(ports: ConnectionPorts, serverId: string, grant: Grant): Promise<string | null> {
  return ports.seal?.close(JSON.stringify(grant), purposeOf(ports, serverId)) ?? null;
}

/** Decrypts the tokens of a server; null if it is not connected, or if the key has changed since. */
export async function openGrant(ports: ConnectionPorts, serverId: string): Promise<Grant | null> {
  const connection = ports.connections.connection(serverId);
  const opened = connection && (await ports.seal?.open(connection.sealed, purposeOf(ports, serverId)));
  return opened ? (JSON.parse(opened) as Grant) : null;
}

/** A channel's request for a server's token: where it goes, which token was `refused`, and with which WWW-Authenticate header. */
export interface TokenWish {
  serverId: string;
  url: string;
  refused: string | null;
  challenge: string | null;
}

/** Makes the function that gives tokens. Callers that come during a renewal wait for that renewal. */
export function createTokens(ports: ConnectionPorts): (wish: TokenWish) => Promise<ConnectionAnswer> {
  const renewing = new Map<string, Promise<string | null>>();

  /** `isGood`: the token was not refused, it only ends soon. If it can't be renewed at the moment, it is used to its end. */
  const renewed = async (connection: Connection, grant: Grant, isGood: boolean): Promise<string | null> => {
    const { serverId } = connection;
    const isCurrent = () => ports.connections.connection(serverId)?.at === connection.at;
    const failed = (reason: string, isOver: boolean): string | null => {
      if (isOver && isCurrent()) ports.connections.removeConnection(serverId);
      ports.log.error("a remote server's tokens were not renewed", { server: serverId, reason, isOver });
      return isGood && isCurrent() && ports.clock() < (grant.expiresAt ?? 0) ? grant.accessToken : null;
    };
    const { refreshToken, client } = grant;
    if (refreshToken === null) return failed("they have expired and can't be renewed", true);
    try {
      // The operator may have changed the client secret since the person agreed: some last only for months.
      const registered = ports.servers.find(({ id }) => id === serverId)?.registered;
      const present = registered?.clientId === client.clientId ? registered.clientSecret : null;
      const current = { ...client, clientSecret: present ?? client.clientSecret };
      const obtained = await renew({ ...grant, client: current }, refreshToken, ports.clock(), ports.ask);
      if (!obtained.ok) return failed(obtained.error, obtained.isOver);
      const sealed = await sealGrant(ports, serverId, obtained.value);
      // The server was disconnected, or connected anew, during the renewal.
      if (sealed === null || !isCurrent()) return null;
      ports.connections.putConnection({ ...connection, sealed, renewedAt: ports.clock() });
      return obtained.value.accessToken;
    } catch (error) {
      return failed(ports.describe(error), false);
    }
  };

  const give = async (wish: TokenWish): Promise<ConnectionAnswer> => {
    const { serverId, url, refused, challenge } = wish;
    const answer = (token: string | null): ConnectionAnswer => ({ op: "token", token });
    const connection = ports.connections.connection(serverId);
    // A token goes only to the address that it was issued for, whatever is configured now.
    if (!connection || connection.url !== url) return answer(null);
    const underWay = renewing.get(serverId);
    if (underWay) return answer(await underWay);
    const grant = await openGrant(ports, serverId);
    // The connection was renewed, replaced or removed while this grant was opened: a refresh token can be used only once.
    if (ports.connections.connection(serverId)?.sealed !== connection.sealed) return give(wish);
    if (grant === null) return answer(null);
    const { error, scope } = readChallenge(challenge);
    if (error === "insufficient_scope" && refused === grant.accessToken) {
      ports.connections.putConnection({ ...connection, lacked: scope });
      return answer(null);
    }
    const now = ports.clock();
    const endsAt = grant.expiresAt ?? Number.POSITIVE_INFINITY;
    const isEnding = now >= endsAt - (grant.refreshToken === null ? 0 : RENEW_BEFORE_MS);
    if (refused !== grant.accessToken && !isEnding) return answer(grant.accessToken);
    const { renewedAt } = connection;
    // A time in the future was stored before the clock was set back.
    if (!isEnding && renewedAt !== null && Math.abs(now - renewedAt) < RENEW_GAP_MS) return answer(null);
    // Another caller may have begun while this one opened the grant.
    const other = renewing.get(serverId);
    if (other) return answer(await other);
    const work = renewed(connection, grant, refused !== grant.accessToken).finally(() => renewing.delete(serverId));
    renewing.set(serverId, work);
    return answer(await work);
  };
  return give;
}
