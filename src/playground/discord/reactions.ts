// Reactions to messages: who gave which. Refuses only the twenty-first emoji.
import type { Message, World } from "./world.ts";

const MAX_REACTIONS = 20;

/** Adds a reaction, once per person. Returns false if the message has too many emoji. */
export function addReaction(world: World, message: Message, emoji: string, by: string): boolean {
  const reaction = message.reactions.find((one) => one.emoji === emoji);
  if (reaction?.by.includes(by)) return true;
  if (!reaction && message.reactions.length >= MAX_REACTIONS) return false;
  if (reaction) reaction.by.push(by);
  else message.reactions.push({ emoji, by: [by] });
  world.happened({ kind: "reaction-added", message, emoji, by });
  return true;
}

/** Removes a reaction. Returns false if there was none. */
export function removeReaction(world: World, message: Message, emoji: string, by: string): boolean {
  const reaction = message.reactions.find((one) => one.emoji === emoji);
  if (!reaction?.by.includes(by)) return false;
  reaction.by = reaction.by.filter((one) => one !== by);
  message.reactions = message.reactions.filter((one) => one.by.length > 0);
  world.happened({ kind: "reaction-removed", message, emoji, by });
  return true;
}
