// What a channel lends the tools of a turn, and what there is for them here: the one place where the services get their providers.
import type { TurnRecord } from "../src/core/record.ts";
import type { Availability } from "../src/toolkit/availability.ts";
import type { ToolServices } from "../src/toolkit/tool-services.ts";
import { braveSearch } from "../src/tools/web/brave-search.ts";
import type { Channel } from "./parts.ts";
import { remindersOf } from "./reminders.ts";

/** The services that this installation has; a tool that needs another one is not offered. */
export function toolServicesOf(channel: Channel, { trigger }: TurnRecord): Partial<ToolServices> {
  const { config, fetch, memories, notes } = channel.parts;
  return {
    fetch,
    memories,
    notes,
    reminders: remindersOf(channel, trigger),
    privateHosts: config.fetchUrlPrivateHosts,
    ...(config.search ? { search: braveSearch(config.search, channel.parts) } : {}),
  };
}

/** What else tools may ask for: the bot's token, what the person may do here, what is set. */
export function availabilityOf({ parts }: Channel, { trigger }: TurnRecord): Availability {
  return {
    botToken: parts.config.discord.botToken !== null && trigger.botIsHere === true,
    permissions: new Set(trigger.permissions ?? []),
    modelAbilities: new Set(),
    settings: new Set(Object.keys(parts.store.settings())),
  };
}
