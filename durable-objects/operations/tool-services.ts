// What a channel lends the tools of a turn, and what there is for them here: the one place where the services get their providers.
import type { TurnRecord } from "../../src/core/state/record.ts";
import { createChannelActions } from "../../src/discord/rest/channel-actions.ts";
import type { Availability } from "../../src/toolkit/define/availability.ts";
import type { ToolServices } from "../../src/toolkit/define/tool-services.ts";
import { braveSearch } from "../../src/tools/web/brave-search.ts";
import type { Channel } from "../parts.ts";
import { createMessageLookup, sentPictures } from "../turn/message-lookup.ts";
import { createReminders } from "./reminders.ts";

/** The services that this installation has; a tool that needs another one is not offered. */
export function createToolServices(channel: Channel, turn: TurnRecord): Partial<ToolServices> {
  const { clock, config, discord, fetch, memories, notes, stash, store } = channel.parts;
  const { trigger } = turn;
  const bot = { ...discord, clock, traffic: channel.replies.traffic };
  const actions = createChannelActions(bot, trigger.channelId, trigger.applicationId);
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
    reminders: createReminders(channel, trigger),
    stash: (key, item) => stash.put(key, item),
    privateHosts: config.fetchUrlPrivateHosts,
    ...(config.search ? { search: braveSearch(config.search, channel.parts) } : {}),
  };
}

/** What else tools may ask for: the bot's token, what the person may do here, what is set. */
export function readAvailability(channel: Channel, turn: TurnRecord): Availability {
  const { models, store } = channel.parts;
  return {
    botToken: isReachable(channel, turn),
    permissions: new Set(turn.trigger.permissions ?? []),
    // The next model may take the turn over while it runs.
    get modelAbilities() {
      const model = models[store.recall(turn.id)?.modelIndex ?? 0] ?? models[0];
      return new Set(model.images === false ? [] : ["images"]);
    },
    settings: new Set(Object.keys(store.settings())),
  };
}

/** Does the bot's own token open the channel that the turn is in? */
const isReachable = ({ parts }: Channel, { trigger }: TurnRecord): boolean =>
  parts.config.discord.botToken !== null && trigger.botIsHere === true;
