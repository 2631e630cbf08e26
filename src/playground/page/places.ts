// Texts about channels: their names, who reads along, and how to get an answer there. Pure.
import type { Channel, Person, WorldState } from "./shapes.ts";

const DIRECT_MESSAGE = 1;
const GROUP = 3;
const THREADS = [10, 11, 12];

/** Returns a channel's name with the sign of its kind. */
export function nameChannel({ name, type }: Channel): string {
  const sign = type === DIRECT_MESSAGE ? "@" : type === GROUP ? "👥 " : THREADS.includes(type) ? "↳ " : "#";
  return `${sign}${name.replace(/^[#@]/, "")}`;
}

/** Returns the text in the empty box: how to get an answer in this channel. */
export function describeBox(channel: Channel, { bot }: WorldState): string {
  const where = `Message ${nameChannel(channel)}`;
  if (channel.type === DIRECT_MESSAGE) return `${where} — write anything, or / for commands`;
  if (channel.type === GROUP) return `${where} — / for commands`;
  return `${where} — write @${bot.name} or / for commands`;
}

/** Explains in a sentence or two how to start in this channel. */
export function describeStart({ type }: Channel, { bot }: WorldState): string {
  if (type === GROUP)
    return `${bot.name} is not here, and reads nothing. If you bring it along, type / for its commands.`;
  if (type === DIRECT_MESSAGE) return `${bot.name} answers every message here. Type / for its commands.`;
  return `Mention @${bot.name} in a message, write to it directly under 💬, or type / for its commands.`;
}

/** Whether every message in this channel is for the bot. */
export const isDirect = ({ type }: Channel): boolean => type === DIRECT_MESSAGE;

/** Whether the bot is in this channel, and so reads its messages. */
export const hasBot = ({ type }: Channel): boolean => type !== GROUP;

/** Says in a few words who reads along in a channel. */
export function describeChannel(channel: Channel, { servers }: WorldState, { name, installed }: Person): string {
  if (channel.type === DIRECT_MESSAGE) return `Only ${name} and ${channel.name}`;
  if (channel.type !== GROUP) return servers.find(({ id }) => id === channel.serverId)?.name ?? "";
  return installed
    ? `The bot is not here; ${name} brings it along`
    : "The bot is not here; only people who bring it along can use it";
}

/** Whether the channel is a thread. */
export const isThread = ({ type }: Channel): boolean => THREADS.includes(type);
