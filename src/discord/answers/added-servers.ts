// /tools add and /tools remove: remote servers that people add to a Discord server.
import { type AddedServer, readAddedServers } from "../../channel/added-servers.ts";
import type { ServerChange } from "../../core/access/connection-rpc.ts";
import { changeText } from "../../core/copy/changes.ts";
import { addedServerText, connectionFaultText } from "../../core/copy/connections.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import type { AnswerPorts } from "./channel-port.ts";
import { askConnection } from "./connections.ts";
import { isServerInstall } from "./gate.ts";
import { readAnew } from "./reach-scope.ts";

/** The change that the person wants, as typed. */
type Wanted = { op: "add"; name: string; url: string } | { op: "remove"; name: string };

/** Makes the change, or says why not. May run twice for one interaction. The command's `access` has ensured that a manager asks. */
export async function changeServers(actor: Actor, ports: AnswerPorts, wanted: Wanted): Promise<object> {
  const { interactionId, userId: by, guildId } = actor;
  const command = `/tools ${wanted.op}`;
  if (!isServerInstall(actor))
    return privately(
      guildId === null ? changeText.settingNeedsServer(command) : changeText.settingNeedsMembership(command),
    );
  // Managers of the server may always remove one.
  if (wanted.op === "add" && ports.mcpAdd === "owner" && !ports.access.isOwner(by))
    return privately(addedServerText.ownersOnly);
  const change = { interactionId, serverId: wanted.name.trim(), by };
  const request: ServerChange =
    wanted.op === "add" ? { ...change, op: "add", url: wanted.url } : { ...change, op: "remove" };
  const answer = await askConnection(actor, ports, request);
  if (answer?.op === "refused") return privately(connectionFaultText(answer.fault, answer.detail));
  if (answer?.op !== "changed") return privately(UNAVAILABLE);
  await readAnew(actor, ports);
  const { serverId } = answer;
  return privately(wanted.op === "add" ? addedServerText.added(serverId) : addedServerText.removed(serverId));
}

/** Lists the remote servers that were added in the interaction's place; the list is at most a minute old. */
export const listAdded = ({ access }: Pick<AnswerPorts, "access">): AddedServer[] =>
  readAddedServers(access.copy?.settings ?? {});
