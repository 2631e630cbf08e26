// How a local Discord begins: its first people and places, and the ids that everything in it gets.
import { type Channel, PEOPLE, PLACES, type World } from "./world.ts";

/** Discord's epoch, the zero of every snowflake's time part. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const FIRST_SNOWFLAKE = 1_180_000_000_000_100_000n; // keeps ids 19 digits long under a clock that starts at zero

/** Fills a world, old or new, with its first people and places and nothing else. */
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

/** Ids that only grow, shaped as Discord's: milliseconds since its epoch above 22 bits. */
export function snowflakes(now: () => number): () => string {
  let last = FIRST_SNOWFLAKE;
  return () => {
    const timed = BigInt(Math.max(0, Math.floor(now()) - DISCORD_EPOCH_MS)) << 22n;
    last = timed > last ? timed : last + 1n;
    return String(last);
  };
}
