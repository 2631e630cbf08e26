// /tools connect and /tools disconnect: a person's access to a remote server, lent to a place. The consent itself happens in a browser.
import { readAddedServers } from "../../channel/added-servers.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../core/access/connection-rpc.ts";
import { connectionFaultText, connectionText } from "../../core/copy/connections.ts";
import { say } from "../../core/copy/notices.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { buildLinkRow } from "../components.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import type { AnswerPorts } from "./channel-port.ts";
import { isServerInstall } from "./gate.ts";
import { reachOf, reachScope, scopeOf } from "./reach-scope.ts";

/** Answers with a private link. May run twice: the later link counts. */
export async function connectServer(actor: Actor, ports: AnswerPorts, serverId: string): Promise<object> {
  if (!mayConnect(actor, ports)) return privately(connectionText.ownersOnly);
  const { userId } = actor;
  const { origin } = ports;
  if (origin === null) return privately(connectionText.noAddress);
  const answer = await askConnection(actor, ports, { op: "begin", serverId: serverId.trim(), userId, origin });
  if (answer?.op !== "begun") return refusal(answer);
  const { type, data } = privately(connectionText.begun(serverId.trim(), reachOf(actor)));
  const link = { label: connectionText.openLink, url: `${origin}/oauth/start?state=${answer.state}` };
  return { type, data: { ...data, components: buildLinkRow(link, "enter_code", userId) } };
}

/** Stores the token if this is the code of the person's own attempt. */
export async function confirmCode(actor: Actor, ports: AnswerPorts, code: string): Promise<object> {
  if (!mayConnect(actor, ports))
    return privately(isServerInstall(actor) ? say.managersOnly("tools connect") : connectionText.ownersOnly);
  const answer = await askConnection(actor, ports, { op: "confirm", userId: actor.userId, code });
  return answer?.op === "connected"
    ? privately(connectionText.connected(answer.serverId, reachOf(actor)))
    : refusal(answer);
}

/** Deletes this place's token. */
export async function disconnectServer(actor: Actor, ports: AnswerPorts, typed: string): Promise<object> {
  if (!mayConnect(actor, ports)) return privately(connectionText.ownersOnly);
  const serverId = typed.trim();
  const answer = await askConnection(actor, ports, { op: "disconnect", serverId });
  if (answer?.op !== "disconnected") return refusal(answer);
  return privately(answer.wasConnected ? connectionText.disconnected(serverId) : connectionText.notConnected(serverId));
}

/** Suggests the servers that can be connected. */
export async function suggestServer(actor: Actor, ports: AnswerPorts): Promise<readonly string[]> {
  return (await listServers(actor, ports)).map(({ serverId }) => serverId);
}

/** Returns one line for each server that can be connected or was added; only for the latter if the scope can't be reached. */
export async function serverLines(actor: Actor, ports: AnswerPorts): Promise<string[]> {
  const added = new Map(readAddedServers(ports.access.copy?.settings ?? {}).map(({ id, url }) => [id, url]));
  const listed = await listServers(actor, ports);
  const others = [...added].filter(([id]) => !listed.some(({ serverId }) => serverId === id));
  return [
    ...listed.map(({ serverId, isConnected, isAdded }) =>
      connectionText.listed(serverId, isConnected, (isAdded && added.get(serverId)) ?? null, reachOf(actor)),
    ),
    ...others.map(([id, url]) => connectionText.listed(id, null, url)),
  ];
}

async function listServers(actor: Actor, ports: AnswerPorts) {
  if (!ports.connectsServers) return [];
  const answer = await askConnection(actor, ports, { op: "list" });
  return answer?.op === "listed" ? answer.servers : [];
}

/** Whether the person may: a manager in a server, an owner elsewhere. Forms and clicks don't pass the command's check, so this one repeats it. */
function mayConnect(actor: Actor, { access }: AnswerPorts): boolean {
  return isServerInstall(actor) ? actor.manager : access.isOwner(actor.userId);
}

/** Asks the scope of the actor's place; null if it can't be reached. */
export const askConnection = (
  actor: Actor,
  ports: AnswerPorts,
  request: ConnectionRequest,
): Promise<ConnectionAnswer | null> => reachScope(scopeOf(actor), ports, (scope) => scope.connection(request));

const refusal = (answer: ConnectionAnswer | null): object =>
  privately(answer?.op === "refused" ? connectionFaultText(answer.fault, answer.detail) : UNAVAILABLE);
