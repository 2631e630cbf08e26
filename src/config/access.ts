// The variables that say whose bot it is: owners, servers, visitors.
import { loopbackHost } from "./addresses.ts";
import { readChoice } from "./choice.ts";

/** As in src/core/access/policy.ts; a null rule was not set, and the place decides: open on this machine, else the strict one. */
export interface AccessVariables {
  ownerIds: readonly string[] | null;
  servers: "claimed" | "listed" | "open" | null;
  allowedServers: readonly string[];
  visitors: "owners" | "listed" | "anyone" | null;
  allowedUsers: readonly string[];
}

const SERVER_RULES = ["claimed", "listed", "open"] as const;
const VISITOR_RULES = ["owners", "listed", "anyone"] as const;
/** An id of Discord. */
export const SNOWFLAKE = /^\d{1,20}$/;

/** Reads them by `value`, which gives null for one that is not set. Adds each problem, which names its variable. */
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

/** The rules with what applies where a variable is not set. */
export interface AccessRules extends AccessVariables {
  servers: NonNullable<AccessVariables["servers"]>;
  visitors: NonNullable<AccessVariables["visitors"]>;
}

/**
 * The owner's rules. Where Discord's address and the request's own host are both on this machine, rules that are not set are open: that
 * is the playground or a test. `host` is null where there is no request (a waiting turn): only Discord's address counts.
 */
export function accessRules(access: AccessVariables, discordUrl: string, host: string | null): AccessRules {
  const isLocal = loopbackHost(discordUrl) !== null && (host === null || loopbackHost(`http://${host}`) !== null);
  return {
    ...access,
    servers: access.servers ?? (isLocal ? "open" : "claimed"),
    visitors: access.visitors ?? (isLocal ? "anyone" : "owners"),
  };
}
