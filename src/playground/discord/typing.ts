// Who is typing where: for 10 s (docs: resources/channel, "Trigger Typing Indicator"), or until their message comes.
import type { World } from "./world.ts";

const TYPING_MS = 10_000;

/** Shows someone as typing. */
export function typeIn(world: World, channelId: string, by: string): void {
  const here = world.typing.get(channelId) ?? new Map<string, number>();
  here.set(by, world.now() + TYPING_MS);
  world.typing.set(channelId, here);
  world.happened({ kind: "typing", channelId, by });
}

/** Lists the ids of those who are typing in a channel. */
export const typingIn = (world: World, channelId: string): string[] =>
  [...(world.typing.get(channelId) ?? [])].filter(([, until]) => until > world.now()).map(([id]) => id);
