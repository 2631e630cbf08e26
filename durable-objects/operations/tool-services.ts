// Builds what a turn's tools get from the channel: their services with their providers, and what is available here.
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { leftOutBy } from "../../src/core/access/scope-copy.ts";
import { isSetApart, transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { BotPorts } from "../../src/discord/rest/bot-request.ts";
import type { Availability } from "../../src/toolkit/define/availability.ts";
import type { ChannelActions } from "../../src/toolkit/define/channel-actions.ts";
import type { AvailableServices } from "../../src/toolkit/define/tool-services.ts";
import type { Channel } from "../live-channel.ts";
import { createReminders } from "../reminders/reminders.ts";
import { createOwnFacts } from "../scope-calls/own-facts.ts";
import { createMessageLookup, findPerson, sentPictures } from "../turn/message-lookup.ts";
import type { TurnLease } from "./turn-lease.ts";

/** How many of the newest messages are searched for pictures that nobody sent to the bot: one page of Discord's API. */
const HEARD_MESSAGES = 50;

/**
 * Builds the services of this installation. A tool that needs a missing service is not offered. A private turn can't use the channel's
 * memories and notes, unless its object belongs to one person; reminders need a place where others would see them too. Tools that cost
 * money must ask `lease`.
 */
export function createToolServices(channel: Channel, turn: TurnRecord, lease: TurnLease): AvailableServices {
  const { config, discord, drawPicture, web, memories, notes, stash, store } = channel.ports;
  const { search } = config;
  const { request } = turn;
  const actions = channelActions(discord, request.channelId, config.discord.userId, (userId) =>
    leftOutBy(store.scopeNote())(userId),
  );
  const reminders = createReminders(channel, turn);
  const ownFacts = createOwnFacts(channel.ports, request);
  // Read at each call, because Discord's response may show only later that the turn is private.
  const now = () => (store.recall(turn.id) ?? turn).request;
  const shared = <Service>(service: Service) => (isSetApart(now()) ? undefined : service);
  return {
    fetch: web,
    get memories() {
      return shared({ ...memories, own: ownFacts });
    },
    get notes() {
      return shared(notes);
    },
    get reminders() {
      return transcriptOwner(now()) === null ? reminders : undefined;
    },
    messageId: createMessageLookup(store, turn),
    pictures: {
      sent: () => sentPictures(store, turn.id),
      async heard(signal) {
        const mayRead = isReachable(channel, turn) && request.permissions?.includes("READ_MESSAGE_HISTORY") === true;
        const read = mayRead ? await actions.recentMessages(HEARD_MESSAGES, null, signal) : null;
        if (!read?.ok) return read ?? { ok: true, value: [] };
        const heard = read.value
          .filter(({ author }) => author.id !== config.discord.userId)
          .toReversed()
          .flatMap(({ author, at, pictures }) =>
            pictures.map((picture) => ({ ...picture, at, sentBy: author.name, isOthers: true })),
          );
        return { ok: true, value: heard };
      },
      person: (reference) => findPerson(store, turn.id, reference),
      async profile(userId, signal) {
        if (config.discord.botToken === null) return { ok: false, error: "profile pictures need the bot's own token" };
        return actions.profilePicture(userId, signal);
      },
    },
    ...(isReachable(channel, turn) && { actions }),
    stash: (key, item) => stash.put(key, item),
    privateHosts: config.fetchUrlPrivateHosts,
    draw:
      drawPicture && isModelFor(config.imageModel ?? {}, request.guildId)
        ? async (...call) => (await import("./draw.ts")).createDraw(channel, turn, lease, drawPicture)(...call)
        : undefined,
    ...(search && { search: async (...call) => (await engine()).braveSearch(search, channel.ports)(...call) }),
  };
}

/** Returns the bot's actions, whose code is loaded when one is used. */
function channelActions(
  bot: BotPorts,
  channelId: string,
  selfId: string,
  isLeftOut: (userId: string) => boolean,
): ChannelActions {
  const act = async () =>
    (await import("../../src/discord/rest/bot-actions.ts")).createChannelActions(bot, channelId, selfId, isLeftOut);
  return {
    recentMessages: async (...call) => (await act()).recentMessages(...call),
    addReaction: async (...call) => (await act()).addReaction(...call),
    createPoll: async (...call) => (await act()).createPoll(...call),
    createThread: async (...call) => (await act()).createThread(...call),
    pinMessage: async (...call) => (await act()).pinMessage(...call),
    profilePicture: async (...call) => (await act()).profilePicture(...call),
  };
}

const engine = () => import("../../src/tools/web/brave-search.ts");

/** Returns what else a tool may require: the bot's token, the person's permissions, settings, the abilities of the model that is answering. */
export function readAvailability(channel: Channel, turn: TurnRecord, models: Channel["ports"]["models"]): Availability {
  const { store } = channel.ports;
  return {
    botToken: isReachable(channel, turn),
    permissions: new Set(turn.request.permissions ?? []),
    // A getter, because the next model may take over while the turn runs.
    get modelAbilities() {
      const model = models[store.recall(turn.id)?.modelIndex ?? 0] ?? models[0];
      return new Set(model.images === false ? [] : ["images"]);
    },
    settings: new Set(Object.keys(store.settings())),
  };
}

/** Whether the bot's own token can reach the turn's channel. */
const isReachable = ({ ports }: Channel, { request }: TurnRecord): boolean =>
  ports.config.discord.botToken !== null && request.botIsHere === true;
