// Decides from where and by whom the application is installed what a client lets a person use in a channel (docs: resources/application,
// "Installation Context" and "Interaction Contexts").
import { canSee } from "./permissions.ts";
import type { Channel, Person } from "./servers.ts";
import { BOT_NAME } from "./wire.ts";
import type { Owners, World } from "./world.ts";

/** A use of the application that is about to be sent. */
export interface Use {
  person: Person;
  channel: Channel;
  /** The registered command; undefined if it was not registered. */
  registered?: Record<string, unknown> | undefined;
  /** The owners of the interaction from which the clicked message or the open form came. */
  inherited?: Owners | undefined;
  /** Acts as if only the person had installed the application. */
  userInstallOnly: boolean;
}

/** Returns Discord's `context`: 0 a server, 1 the bot's own DM, 2 a conversation between people. */
export function findContext({ type }: Channel): 0 | 1 | 2 {
  if (type === 3) return 2;
  return type === 1 ? 1 : 0;
}

/** Returns why a person can't do anything in a channel; null if they can see it. */
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
 * Returns `authorizing_integration_owners`, or why the client does not offer this use. Buttons and forms work for everyone who sees them; their
 * owners are those of the command from which they came.
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
