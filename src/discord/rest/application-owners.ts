// Reads who owns the application, with the bot's token: its owner, or the members of the team that owns it.
import { array, looseObject, nullish, number, optional, type output } from "zod/mini";
import { once } from "../../core/once.ts";
import { nameOf, personJson } from "../person-json.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import type { RestPorts } from "./rest.ts";

/** The shape of the part of an application that says who owns it (docs: resources/application). */
export const ownership = once(() =>
  looseObject({
    owner: optional(personJson()),
    team: nullish(looseObject({ members: array(looseObject({ membership_state: number(), user: personJson() })) })),
  }),
);
/** A member of a team who has accepted the invitation (docs: topics/teams). */
const ACCEPTED = 2;
const READ_ONLY = "read_only";

/** A person who owns the application. */
export interface ApplicationOwner {
  id: string;
  name: string;
}

/**
 * Returns the people. The `owner` of a team's application is a user that represents the team (Discord), so only its members count, except those
 * who may only look ("Read-only", docs: topics/teams). The team's owner always counts.
 */
export function readOwners({ owner, team }: output<ReturnType<typeof ownership>>): ApplicationOwner[] {
  const accepted = team?.members.filter(
    ({ membership_state, role, user: { id } }) =>
      membership_state === ACCEPTED && (role !== READ_ONLY || id === team.owner_user_id),
  );
  const people = accepted ? accepted.map((member) => member.user) : owner ? [owner] : [];
  return people.map((person) => ({ id: person.id, name: nameOf(person) }));
}

/** Returns the owners' ids, or null if Discord did not say. Reads only, so it may run twice. Never throws. */
export async function readApplicationOwners(ports: RestPorts): Promise<readonly string[] | null> {
  if (ports.botToken === null) return null;
  try {
    const response = await fetchAsBot(ports, "GET", "/applications/@me");
    const text = await response.text();
    const found = response.ok ? ownership().safeParse(JSON.parse(text)).data : undefined;
    const ids = found ? readOwners(found).map(({ id }) => id) : [];
    return ids.length > 0 ? ids : null;
  } catch (error) {
    ports.onLost?.("GET", error);
    return null;
  }
}
