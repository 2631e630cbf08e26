// Reads the variables that say whose bot it is: owners, servers, visitors.
import type { AccessPolicy, ServerRule, VisitorRule } from "../core/access/policy.ts";
import { loopbackHost } from "./addresses.ts";
import { readChoice } from "./choice.ts";

/** A rule that is null was not set; then the place decides: open on this machine, else the strict rule. */
export interface AccessVariables extends Omit<AccessPolicy, "servers" | "visitors"> {
  servers: ServerRule | null;
  visitors: VisitorRule | null;
}

const SERVER_RULES: readonly ServerRule[] = ["claimed", "listed", "open"];
const VISITOR_RULES: readonly VisitorRule[] = ["owners", "listed", "anyone"];
/** A Discord id. */
export const SNOWFLAKE = /^\d{1,20}$/;

/** Reads them by `value`, which returns null for one that is not set. Adds each problem, which names its variable. */
export function readAccess(value: (name: AccessName) => string | null, problems: string[]): AccessVariables {
  const ids = (name: AccessName): readonly string[] => {
    const listed = (value(name) ?? "").split(/[\s,]+/).filter((id) => id !== "");
    if (!listed.every((id) => SNOWFLAKE.test(id))) problems.push(`${name} is not a list of Discord ids`);
    return listed;
  };
  const rule = <Rule extends string>(name: AccessName, rules: readonly Rule[]) =>
    readChoice(name, value(name), rules, problems);
  const owners = ids("OWNER_IDS");
  return {
    ownerIds: owners.length > 0 ? owners : null,
    servers: rule("SERVERS", SERVER_RULES),
    allowedServers: ids("ALLOWED_SERVERS"),
    visitors: rule("VISITORS", VISITOR_RULES),
    allowedUsers: ids("ALLOWED_USERS"),
  };
}

/** The variables' names. */
export type AccessName = "OWNER_IDS" | "SERVERS" | "ALLOWED_SERVERS" | "VISITORS" | "ALLOWED_USERS";

/**
 * Returns the owner's rules. If Discord's address and the request's own host are both on this machine, rules that are not set are open: that
 * is the playground or a test. `host` is null if there is no request (a waiting turn); then only Discord's address counts.
 */
export function accessRules(access: AccessVariables, discordUrl: string, host: string | null): AccessPolicy {
  const isLocal = loopbackHost(discordUrl) !== null && (host === null || loopbackHost(`http://${host}`) !== null);
  return {
    ...access,
    servers: access.servers ?? (isLocal ? "open" : "claimed"),
    visitors: access.visitors ?? (isLocal ? "anyone" : "owners"),
  };
}
