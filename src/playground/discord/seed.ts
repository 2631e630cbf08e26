// The start of a local Discord: its first people, servers and channels, and the ids of everything in it.
import { EVERYONE, MANAGE_WEBHOOKS, MODERATION, VIEW_CHANNEL } from "./permissions.ts";
import type { Channel, Overwrite, Person, Server } from "./servers.ts";
import { BOT_NAME } from "./wire.ts";
import { PEOPLE, PLACES, type World } from "./world.ts";

/** Discord's epoch, the zero of the time in every snowflake. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const FIRST_SNOWFLAKE = 1_180_000_000_000_100_000n; // keeps ids 19 digits long under a clock that starts at zero

/** Resets a world to its first people, servers and channels. */
export function seed(world: World): void {
  for (const interaction of world.interactions.values()) {
    // Resolve whoever waits for it. The mark keeps its failure line out of the new world.
    interaction.failed = true;
    interaction.onOutcome();
  }
  for (const held of [world.people, world.servers, world.channels, world.messages, world.interactions, world.modals])
    held.clear();
  world.attachments.clear();
  world.webhooks.clear();
  world.nonces.clear();
  world.log.length = 0;
  world.violations.length = 0;
  world.windows.clear();
  world.typing.clear();
  world.endpointUrl = "https://parley.example/interactions";
  world.installSettings = { 0: {}, 1: {} };
  for (const person of PERSONS) world.people.set(person.id, { ...person });
  for (const server of servers(world.applicationId)) world.servers.set(server.id, server);
  for (const channel of channels(world.applicationId)) world.channels.set(channel.id, channel);
}

const { mira, theo, juno, wren } = PEOPLE;
const MODERATORS = "1180000000000000031";
const PERSONS: readonly Person[] = [
  { id: mira, name: "Mira", installed: false },
  { id: theo, name: "Theo", installed: false },
  { id: juno, name: "Juno", installed: false },
  { id: wren, name: "Wren", installed: true },
];

/** Juno's server, and Wren's. In both, the application has its own role, which Discord creates when it is installed. */
function servers(applicationId: string): Server[] {
  const roles = (serverId: string, ownRole: string) => [
    { id: serverId, name: "@everyone", permissions: EVERYONE },
    { id: ownRole, name: BOT_NAME, permissions: MANAGE_WEBHOOKS },
  ];
  const [first, second] = ["1180000000000000032", "1180000000000000033"];
  return [
    {
      id: PLACES.guild,
      name: "Parley Lounge",
      ownerId: juno,
      roles: [
        ...roles(PLACES.guild, first),
        { id: MODERATORS, name: "Moderators", permissions: EVERYONE | MODERATION },
      ],
      members: new Map([
        [mira, [MODERATORS]],
        [theo, []],
        [juno, []],
        [applicationId, [first]],
      ]),
    },
    {
      id: PLACES.secondGuild,
      name: "Lighthouse",
      ownerId: wren,
      roles: roles(PLACES.secondGuild, second),
      members: new Map([
        [wren, []],
        [theo, []],
        [applicationId, [second]],
      ]),
    },
  ];
}

/** Only moderators and the application see #staff. The bot is not in the group DM: only Wren can use it there, by her own installation. */
function channels(applicationId: string): Channel[] {
  const dm = (id: string, personId: string): Channel => ({ id, name: BOT_NAME, type: 1, recipientIds: [personId] });
  const seeing = (id: string, type: 0 | 1) => ({ id, type, allow: VIEW_CHANNEL, deny: 0n });
  const overwrites: Overwrite[] = [
    { id: PLACES.guild, type: 0, allow: 0n, deny: VIEW_CHANNEL },
    seeing(MODERATORS, 0),
    seeing(applicationId, 1),
  ];
  return [
    { id: PLACES.general, name: "general", type: 0, serverId: PLACES.guild },
    { id: PLACES.thread, name: "late night ideas", type: 11, serverId: PLACES.guild, parentId: PLACES.general },
    { id: PLACES.staff, name: "staff", type: 0, serverId: PLACES.guild, overwrites },
    { id: PLACES.lobby, name: "lobby", type: 0, serverId: PLACES.secondGuild },
    dm(PLACES.dmOfMira, mira),
    dm(PLACES.dmOfTheo, theo),
    dm(PLACES.dmOfJuno, juno),
    dm(PLACES.dmOfWren, wren),
    { id: PLACES.groupDm, name: "weekend plans", type: 3, recipientIds: [wren, theo] },
  ];
}

/** Creates ids that only grow, in Discord's form: milliseconds since its epoch, shifted left by 22 bits. */
export function snowflakes(now: () => number): () => string {
  let last = FIRST_SNOWFLAKE;
  return () => {
    const timed = BigInt(Math.max(0, Math.floor(now()) - DISCORD_EPOCH_MS)) << 22n;
    last = timed > last ? timed : last + 1n;
    return String(last);
  };
}
