// /owner: what only the bot's owners may do, in a direct message with the bot. Discord can't hide a command from individual people, so everyone
// else who finds it is refused.
import { DEPLOYMENT } from "../../core/access/scope-copy.ts";
import type { KnownServer, OwnerRequest } from "../../core/access/scope-rpc.ts";
import { ownerText } from "../../core/copy/owner-answers.ts";
import { ownerUsageText, serversText } from "../../core/copy/owner-report.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import type { AnswerPorts } from "./channel-port.ts";
import { reachScope } from "./reach-scope.ts";

const SNOWFLAKE = /^\d{15,20}$/;

/** The request that the options of a subcommand make, or a sentence that says what is wrong with them. */
export type Wanted = OwnerRequest | { fault: string };

/** Reads the options of `/owner allow` and `/owner deny`. */
export function aboutServer(id: string, reason: string | null): Wanted {
  const guildId = id.trim();
  if (!SNOWFLAKE.test(guildId)) return { fault: ownerText.notAnId("server") };
  return reason === null ? { op: "allow", guildId } : { op: "deny", guildId, reason: reason.trim() };
}

/** Reads the options of `/owner block` and `/owner unblock`. */
export function aboutUser(op: "block" | "unblock", id: string): Wanted {
  const userId = readUserId(id);
  return userId === null ? { fault: ownerText.notAnId("user") } : { op, userId };
}

/** Reads the id of a person, typed as an id or a mention; null if it is neither. */
export function readUserId(typed: string): string | null {
  const userId = typed.trim().replace(/^<@!?(\d+)>$/, "$1");
  return SNOWFLAKE.test(userId) ? userId : null;
}

/** Carries out the request and says what changed. May run twice for one interaction. */
export async function answerOwner(actor: Actor, ports: AnswerPorts, wanted: Wanted): Promise<object> {
  const refusal = refuseOwner(actor, ports);
  if (refusal !== null) return privately(refusal);
  if ("fault" in wanted) return privately(wanted.fault);
  if (wanted.op === "block" && ports.access.isOwner(wanted.userId)) return privately(ownerText.isOwner);
  const answer = await reachScope(DEPLOYMENT, ports, (deployment) => deployment.own(wanted));
  if (answer?.op === "servers") {
    const letsIn = (one: KnownServer) => ports.access.letsIn(one.guildId, one.isClaimed);
    const servers = answer.servers.map((one) => ({ ...one, isClaimed: letsIn(one) }));
    return privately(serversText({ ...answer, servers }));
  }
  if (!answer || wanted.op === "servers") return privately(UNAVAILABLE);
  ports.access.forget(DEPLOYMENT);
  if (wanted.op === "allow" && !ports.access.letsIn(wanted.guildId, true))
    return privately(ownerText.notListed(wanted.guildId));
  if (answer.op === "full") return privately(ownerText.full(answer.limit));
  if (answer.op === "unchanged") return privately(ownerText.unchanged);
  return privately(`${changedText(wanted)}\n${ownerText.within}`);
}

/** Shows what the deployment used, its limits and its most expensive servers. */
export async function showOwnerUsage(actor: Actor, ports: AnswerPorts): Promise<object> {
  const refusal = refuseOwner(actor, ports);
  if (refusal !== null) return privately(refusal);
  const usage = await reachScope(DEPLOYMENT, ports, (deployment) => deployment.ownerUsage());
  return privately(usage ? ownerUsageText(usage) : UNAVAILABLE);
}

function refuseOwner({ userId, installContext }: Actor, { access }: AnswerPorts): string | null {
  if (!access.isOwner(userId)) return ownerText.ownersOnly;
  return installContext.kind === "own_dm" ? null : ownerText.directOnly;
}

function changedText(request: Exclude<OwnerRequest, { op: "servers" }>): string {
  switch (request.op) {
    case "allow":
      return ownerText.allowed(request.guildId);
    case "deny":
      return ownerText.denied(request.guildId, request.reason);
    case "block":
      return ownerText.blocked(request.userId);
    case "unblock":
      return ownerText.unblocked(request.userId);
    case "pause":
      return request.isPaused ? ownerText.paused : ownerText.resumed;
  }
}
