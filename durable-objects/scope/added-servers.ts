// The remote servers that people add to a Discord server: checks names and addresses, and records who added what. The endpoint decides who
// may add one.
import {
  ADDED_SERVERS,
  type AddedServer,
  isAlike,
  readAddedServers,
  writeAddedServers,
} from "../../src/channel/added-servers.ts";
import {
  type ConnectionAnswer,
  type ConnectionFault,
  REMOTE_SERVER,
  type ServerChange,
} from "../../src/core/access/connection-rpc.ts";
import { guildOf } from "../../src/core/access/scope-copy.ts";
import { MAX_ADDED_SERVERS } from "../../src/core/limits.ts";
import type { ConnectableServer } from "./connection-ports.ts";
import type { ScopePorts } from "./scope-ports.ts";
import type { ScopeStore } from "./scope-store.ts";
import { noteChange } from "./server-settings.ts";

/** The same rule as in MCP_SERVERS. */
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,23}$/;

/** Returns the configured and the added servers in the form in which they can be connected. If both have a name, the configured one wins. */
export const allServers = (
  configured: readonly ConnectableServer[],
  store: Pick<ScopeStore, "settings">,
): ConnectableServer[] => [
  ...configured,
  ...readAddedServers(store.settings())
    .filter(({ id }) => !configured.some((one) => isAlike(one.id, id)))
    .map(
      ({ id, url }): ConnectableServer => ({ id, url, headers: {}, isFixed: false, isAdded: true, registered: null }),
    ),
];

/** Adds or removes a server, in one transaction. Repeating an interaction changes nothing more. */
export function changeServers(ports: ScopePorts, change: ServerChange): ConnectionAnswer {
  const { store, settingHistory, connections, clock, log } = ports;
  const { interactionId, serverId, by } = change;
  return store.transaction((): ConnectionAnswer => {
    const servers = readAddedServers(store.settings());
    const known = servers.find(({ id }) => id === serverId);
    const url = change.op === "add" ? change.url.trim() : null;
    if (!settingHistory.knows(interactionId)) {
      const fault = url === null ? null : findFault(ports, { id: serverId, url }, servers);
      if (fault) return { op: "refused", ...fault };
      if (url === null && !known) return { op: "refused", fault: "not_added" };
      const others = servers.filter((one) => one !== known);
      store.putSetting(ADDED_SERVERS, writeAddedServers(url === null ? others : [...others, { id: serverId, url }]));
      noteChange(ports);
      const written = (address: string | null) => address && `${serverId} ${address}`;
      const recorded = { old: written(known?.url ?? null), new: written(url) };
      settingHistory.record(interactionId, { at: clock(), by, key: REMOTE_SERVER, ...recorded });
      // Drops the access to the server that had this name before.
      connections.connections.removeConnection(serverId);
      log.info("the remote servers were changed", { server: serverId, op: change.op });
    }
    return { op: "changed", serverId, settings: store.settings() };
  });
}

/** Returns why this server can't be added; null if it can. */
function findFault(
  { name, connections, toolNames, whyNotAdded }: ScopePorts,
  { id, url }: AddedServer,
  added: readonly AddedServer[],
): { fault: ConnectionFault; detail?: string } | null {
  if (guildOf(name) === null) return { fault: "no_server" };
  if (!NAME.test(id)) return { fault: "bad_name" };
  const isToolBegin = toolNames.some((tool) => isAlike(tool, id) || isAlike(tool.split("_", 1)[0] ?? "", id));
  if (isToolBegin || connections.servers.some((one) => isAlike(one.id, id))) return { fault: "taken" };
  const reason = whyNotAdded(url);
  if (reason !== null) return { fault: "bad_address", detail: reason };
  return added.length >= MAX_ADDED_SERVERS ? { fault: "full" } : null;
}
