// Decides by the lists in the settings who may take turns in a channel. Pure.
import type { Refusal } from "./rpc.ts";

/** The lists in the settings of one scope. Ids are text. */
export interface AccessLists {
  allow_roles: readonly string[];
  allow_users: readonly string[];
  deny_roles: readonly string[];
  deny_users: readonly string[];
}

/** Returns a member's roles with `@everyone`, whose id is the server's and which Discord never lists (docs: topics/permissions). */
export const withEveryonesRole = (roles: readonly string[], guildId: string | null = null): readonly string[] =>
  guildId === null || roles.includes(guildId) ? roles : [...roles, guildId];

/**
 * Returns why this person may not ask, by the lists of every scope, or null. A denial in any scope beats everything else, and every scope
 * that allows only some people must allow this person.
 */
export function refusalByLists(
  scopes: readonly AccessLists[],
  userId: string,
  roles: readonly string[] | null,
): Refusal | null {
  const refusals = scopes.map((lists) => refusalByScope(lists, userId, roles));
  return refusals.find((refusal) => refusal?.reason === "denied") ?? refusals.find((refusal) => refusal) ?? null;
}

/** Whether any scope denies this person. Missing from a list of allowed people doesn't count, because moderators click, too. */
export const isDenied = (...person: Parameters<typeof refusalByLists>): boolean =>
  refusalByLists(...person)?.reason === "denied";

/** Empty lists allow everyone. If the roles are not known (null), only the lists of people count, and a list of allowed roles lets them in. */
function refusalByScope(lists: AccessLists, userId: string, roles: readonly string[] | null): Refusal | null {
  const isOn = (users: readonly string[], of: readonly string[]) =>
    users.includes(userId) || (roles ?? []).some((role) => of.includes(role));
  const isUnknown = roles === null && lists.allow_roles.length > 0;
  if (isOn(lists.deny_users, lists.deny_roles)) return { reason: "denied" };
  const isOpen = lists.allow_users.length === 0 && lists.allow_roles.length === 0;
  return isOpen || isUnknown || isOn(lists.allow_users, lists.allow_roles) ? null : { reason: "not_listed" };
}
