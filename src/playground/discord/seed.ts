// The start of a local Discord: its first people and channels, and the ids of everything in it.
import { type Channel, PEOPLE, PLACES, type World } from "./world.ts";

/** Discord's epoch, the zero of the time in every snowflake. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const FIRST_SNOWFLAKE = 1_180_000_000_000_100_000n; // keeps ids 19 digits long under a clock that starts at zero

/** Resets a world to its first people and channels. */
export function seed(world: World): void {
  for (const held of [world.people, world.channels, world.messages, world.interactions, world.modals]) held.clear();
  world.attachments.clear();
  world.webhooks.clear();
  world.log.length = 0;
  world.violations.length = 0;
  world.windows.clear();
  for (const person of [
    { id: PEOPLE.mira, name: "Mira", moderator: true },
    { id: PEOPLE.theo, name: "Theo", moderator: false },
  ])
    world.people.set(person.id, person);
  const channels: Channel[] = [
    { id: PLACES.general, name: "general", type: 0 },
    { id: PLACES.thread, name: "late night ideas", type: 11, parentId: PLACES.general },
    { id: PLACES.dmOfMira, name: "Parley", type: 1, recipientId: PEOPLE.mira },
    { id: PLACES.dmOfTheo, name: "Parley", type: 1, recipientId: PEOPLE.theo },
  ];
  for (const channel of channels) world.channels.set(channel.id, channel);
}

/** Makes ids that only grow, in Discord's form: milliseconds since its epoch above 22 bits. */
export function snowflakes(now: () => number): () => string {
  let last = FIRST_SNOWFLAKE;
  return () => {
    const timed = BigInt(Math.max(0, Math.floor(now()) - DISCORD_EPOCH_MS)) << 22n;
    last = timed > last ? timed : last + 1n;
    return String(last);
  };
}
