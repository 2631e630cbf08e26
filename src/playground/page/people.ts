// Who is who: the words for a person's rank, the order in which people are listed, and who can be mentioned. Draws nothing.
import type { Listed } from "./mention-list.ts";
import { hasBot, isDirect } from "./places.ts";
import type { Channel, Person, Server, WorldState } from "./shapes.ts";

const ORDER = ["owner", "moderator", "member"];
const RANKS = { owner: "server owner", moderator: "moderator", member: "member" };

/**
 * Names a person's rank in a word or two: in the shown server or, outside of servers, in the first one. The bot's owner is "owner"
 * everywhere.
 */
export function nameRank({ owner, installed, ranks }: Person, shown: Server | undefined, home: Server): string {
  if (owner) return "owner";
  if (!shown && installed) return "own installation";
  const rank = ranks[(shown ?? home).id];
  return rank ? RANKS[rank] : "not a member";
}

/** Describes a person in one sentence: their name, ranks and installation. */
export function describePerson({ name, owner, installed, ranks }: Person, servers: readonly Server[]): string {
  const places = servers.map(({ id, name: place }) => {
    const rank = ranks[id];
    return rank ? `${RANKS[rank]} in ${place}` : `not a member of ${place}`;
  });
  const what = [
    ...(owner ? ["owner of the bot"] : []),
    ...places,
    ...(installed ? ["installed the bot personally"] : []),
  ];
  return `${name}: ${what.join(", ")}`;
}

/** Sorts people by their rank in this server, people who are not members last. */
export const sortPeople = (people: readonly Person[], { id: serverId }: Server): Person[] =>
  [...people].sort((one, other) => place(one, serverId) - place(other, serverId));

/** Lists who can be mentioned in a channel: the bot first, then the people there. `as`: the person who writes. */
export function listMentionable({ bot, people, servers }: WorldState, channel: Channel, as: string): Listed[] {
  const [home] = servers;
  const server = servers.find(({ id }) => id === channel.serverId);
  const isHere = ({ id, ranks }: Person) => (isDirect(channel) ? id === as : !server || ranks[server.id] !== undefined);
  const here = home ? sortPeople(people.filter(isHere), server ?? home) : [];
  return [
    ...(hasBot(channel) ? [{ ...bot, bot: true, note: "app" }] : []),
    ...here.map((person) => ({ id: person.id, name: person.name, note: home ? nameRank(person, server, home) : "" })),
  ];
}

function place({ ranks }: Person, serverId: string): number {
  const rank = ranks[serverId];
  return rank ? ORDER.indexOf(rank) : ORDER.length;
}
