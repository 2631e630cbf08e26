// What a tool needs and does not have here, in words that fit after "it needs", for people and models.

/** What the bot needs to act in a channel. */
const BOT_ACCESS = "a bot token and membership here";

/** Writes a permission's name in words: `PIN_MESSAGES` becomes Pin Messages. */
const inWords = (name: string): string => name.replaceAll("_", " ").replace(/\B\w+/g, (rest) => rest.toLowerCase());

/** The words for each need, by its name. If a service of the toolkit has none here, the code does not compile. */
export const toolNeeds = {
  botToken: BOT_ACCESS,
  permission: (name: string) => `the ${inWords(name)} permission`,
  modelAbility: (name: string) => `a model that supports ${name}`,
  setting: (name: string) => `the ${name} setting`,
  services: {
    fetch: "network access",
    memories: "a long-term memory",
    notes: "a short-term memory",
    messageId: "a conversation",
    pictures: "pictures",
    actions: BOT_ACCESS,
    privateHosts: "the list of private hosts",
    search: "a search key (SEARCH_API_KEY)",
    reminders: "reminders",
    draw: "a model that draws (IMAGE_MODEL)",
    stash: "storage for large results",
  },
} as const;

/** Tells a model that a handle, an id or a link names no message here. */
export const noMessage = (named: string): string => `"${named}" is not a message here`;
