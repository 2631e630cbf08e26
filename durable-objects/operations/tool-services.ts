// What a channel lends the tools of a turn, and what there is for them here: the one place where the services get their providers.
import type { TurnRecord } from "../../src/core/state/record.ts";
import { createChannelActions } from "../../src/discord/rest/bot-actions.ts";
import type { Availability } from "../../src/toolkit/define/availability.ts";
import type { ToolServices } from "../../src/toolkit/define/tool-services.ts";
import { braveSearch } from "../../src/tools/web/brave-search.ts";
import type { Channel } from "../live-channel.ts";
import { createMessageLookup, sentPictures } from "../turn/message-lookup.ts";
import { createReminders } from "./reminders.ts";

/** The services that this installation has; a tool that needs another one is not offered. */
export function createToolServices(channel: Channel, turn: TurnRecord): Partial<ToolServices> {
  const { clock, config, discord, fetch, memories, notes, stash, store } = channel.ports;
  const { request } = turn;
  const bot = { ...discord, clock, rateLimiter: channel.ports.rateLimiter };
  const actions = createChannelActions(bot, request.channelId, request.applicationId);
  return {
    fetch,
    memories,
    notes,
    messageId: createMessageLookup(store, turn),
    pictures: {
      sent: () => sentPictures(store, turn.id),
      async profile(userId, signal) {
        if (config.discord.botToken === null) return { ok: false, error: "profile pictures need the bot's own token" };
        return actions.profilePicture(userId, signal);
      },
    },
    ...(isReachable(channel, turn) ? { actions } : {}),
    reminders: createReminders(channel, request),
    stash: (key, item) => stash.put(key, item),
    privateHosts: config.fetchUrlPrivateHosts,
    ...(config.search ? { search: braveSearch(config.search, channel.ports) } : {}),
  };
}

/** What else tools may ask for: the bot's token, what the person may do here, what is set. */
export function readAvailability(channel: Channel, turn: TurnRecord): Availability {
  const { models, store } = channel.ports;
  return {
    botToken: isReachable(channel, turn),
    permissions: new Set(turn.request.permissions ?? []),
    // The next model may take the turn over while it runs.
    get modelAbilities() {
      const model = models[store.recall(turn.id)?.modelIndex ?? 0] ?? models[0];
      return new Set(model.images === false ? [] : ["images"]);
    },
    settings: new Set(Object.keys(store.settings())),
  };
}

/** Does the bot's own token open the channel that the turn is in? */
const isReachable = ({ ports }: Channel, { request }: TurnRecord): boolean =>
  ports.config.discord.botToken !== null && request.botIsHere === true;
