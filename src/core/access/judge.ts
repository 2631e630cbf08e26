// Judges whether a person may use the bot here. One function for every way in: commands, buttons, forms, completions, waiting and due turns.
// Pure.
import type { AccessPolicy } from "./policy.ts";
import type { ScopeCopy } from "./scope-copy.ts";

/** Who asks, and where. */
export interface Person {
  userId: string;
  guildId: string | null;
  /** Whether the server itself installed the bot. If not, a person brought it along, or there is no server. */
  isServerInstall: boolean;
}

/** Why a person may not use the bot; src/core/copy has the sentence. */
export type AccessRefusal =
  /** The owners paused everything: everyone reads this one sentence. */
  | { reason: "paused" }
  /** The owners blocked this person, or denied this server with a reason that people there read. */
  | { reason: "blocked" }
  | { reason: "server_denied"; because: string }
  /** Off in this server until an owner uses it there, or (`unlisted_server`) until the variables change; or not available to visitors. */
  | { reason: "private_server" }
  | { reason: "unlisted_server" }
  | { reason: "private_visitor" }
  /** Like `private_server`, while no one knows who the owners are. */
  | { reason: "no_owner" }
  /** After they set a reminder or began to wait, they left the server, or its lists were changed to exclude them. */
  | { reason: "not_any_more" }
  /** The scope can't be reached, and there is no copy. */
  | { reason: "unchecked" }
  /** Like `unchecked`, for the rest of the day: the allowance of Cloudflare's free plan is used up. */
  | { reason: "allowance_used_up" }
  /** A limit applies that only the scope can count, and it can't be reached. */
  | { reason: "limit_unchecked" };

/** `unknown`: only the scope can tell. `claims`: an owner uses the bot in a server for the first time, which claims it. */
export type Verdict =
  | { kind: "allowed"; claims?: true }
  | { kind: "refused"; refusal: AccessRefusal }
  | { kind: "unknown" };

const ALLOWED: Verdict = { kind: "allowed" };
const refused = (refusal: AccessRefusal): Verdict => ({ kind: "refused", refusal });

/** Whether the rule for visitors applies: everywhere except in a server that installed the bot, which has its own rule. */
const isVisit = ({ guildId, isServerInstall }: Person): boolean => guildId === null || !isServerInstall;

/** Returns the owners, as far as the variables and the copy tell. */
export const knownOwners = ({ ownerIds }: AccessPolicy, copy: Pick<ScopeCopy, "owners"> | null): readonly string[] =>
  ownerIds ?? copy?.owners ?? [];

/** Whether this person is an owner, as far as the variables and the copy tell. */
export const isOwner = (userId: string, policy: AccessPolicy, copy: Pick<ScopeCopy, "owners"> | null): boolean =>
  knownOwners(policy, copy).includes(userId);

/**
 * Judges by the variables alone (`copy` is null), or by them and a scope's copy. If the variables alone refuse, no copy is needed, so a
 * stranger wakes nothing.
 */
export function judge(person: Person, policy: AccessPolicy, copy: ScopeCopy | null): Verdict {
  const isOwnerHere = isOwner(person.userId, policy, copy);
  const knowsOwners = policy.ownerIds !== null || copy !== null;
  const isListed = isVisit(person)
    ? policy.visitors === "anyone" || (policy.visitors === "listed" && policy.allowedUsers.includes(person.userId))
    : policy.servers === "open" || policy.allowedServers.includes(person.guildId ?? "");
  const mayBeClaimed = !isVisit(person) && policy.servers === "claimed";
  if (!isOwnerHere && !isListed && !mayBeClaimed && knowsOwners) return refused(stranger(person, policy, copy));
  if (copy === null) return { kind: "unknown" };
  if (copy.isPaused) return refused({ reason: "paused" });
  const server = isVisit(person) ? null : copy.server;
  if (server !== null && server.denied !== null) return refused({ reason: "server_denied", because: server.denied });
  if (!isOwnerHere && !isListed && server?.isClaimed !== true) return refused(stranger(person, policy, copy));
  // Comes after the strangers: whoever reads this could use the bot before, and may still see and delete what is kept about that.
  if (!isOwnerHere && copy.blocked.includes(person.userId)) return refused({ reason: "blocked" });
  return isOwnerHere && mayBeClaimed && server?.isClaimed === false ? { kind: "allowed", claims: true } : ALLOWED;
}

/** Refuses a stranger. Without an owner no one could ever let anyone in, so that reason comes first: its sentence names what is missing. */
function stranger(person: Person, policy: AccessPolicy, copy: ScopeCopy | null): AccessRefusal {
  if (knownOwners(policy, copy).length === 0) return { reason: "no_owner" };
  if (isVisit(person)) return { reason: "private_visitor" };
  return { reason: policy.servers === "listed" ? "unlisted_server" : "private_server" };
}
