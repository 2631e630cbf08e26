// Where the application is installed, and by whom: what a client therefore lets a person use in a channel (docs:
// resources/application, "Installation Context" and "Interaction Contexts").
import { canSee } from "./permissions.ts";
import type { Channel, Person } from "./servers.ts";
import { BOT_NAME } from "./wire.ts";
import type { Owners, World } from "./world.ts";

/** A use of the application that is about to be sent. */
export interface Use {
  person: Person;
  channel: Channel;
  /** The command as it was registered, if it was. */
  registered?: Record<string, unknown> | undefined;
  /** What the clicked message, or the open form, came from. */
  inherited?: Owners | undefined;
  /** As if only the person had installed the application. */
  userInstallOnly: boolean;
}

/** Discord's `context`: 0 a server, 1 the bot's own DM, 2 a conversation between people. */
export function findContext({ type }: Channel): 0 | 1 | 2 {
  if (type === 3) return 2;
  return type === 1 ? 1 : 0;
}

/** Why a person can do nothing in a channel; null if it is on their screen. */
export function refusePresence(world: World, channel: Channel, person: Person): string | null {
  if (canSee(world, channel, person.id)) return null;
  const server = world.servers.get(channel.serverId ?? "");
  if (!server) return `${person.name} is not in this conversation.`;
  const isMember = server.members.has(person.id);
  return isMember
    ? `${person.name} does not see #${channel.name}.`
    : `${person.name} is not a member of ${server.name}.`;
}

/**
 * `authorizing_integration_owners`, or why the client does not offer this. Buttons and forms work for everyone who sees them, in
 * the name of those who installed the application for the command that they came from.
 */
export function findOwners({
  person,
  channel,
  registered,
  inherited,
  userInstallOnly,
}: Use): Owners | { refusal: string } {
  const context = findContext(channel);
  const own: Owners = person.installed || userInstallOnly ? { 1: person.id } : {};
  const place: Owners = userInstallOnly || context === 2 ? {} : { 0: channel.serverId ?? "0" };
  if (inherited) return userInstallOnly ? own : inherited;
  const { contexts, integration_types: kinds } = (registered ?? {}) as {
    contexts?: number[];
    integration_types?: number[];
  };
  if (contexts?.includes(context) === false) return { refusal: `/${registered?.name} does not exist here.` };
  const owners = Object.fromEntries(
    Object.entries({ ...place, ...own }).filter(([kind]) => kinds?.includes(Number(kind)) !== false),
  );
  if (Object.keys(owners).length > 0) return owners;
  return { refusal: `Here ${BOT_NAME} works only for people who installed it for themselves.` };
}
