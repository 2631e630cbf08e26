// What a tool needs and does not have here, in words that fit after "it needs": said to people and to models.

/** What the bot needs to act in a channel. */
const BOT_ACCESS = "the bot's own token and its membership here";

/** By the name of the need. A service of the toolkit that has no words here does not compile. */
export const toolNeeds = {
  botToken: BOT_ACCESS,
  permission: (name: string) => `the permission ${name}`,
  modelAbility: (name: string) => `the model ability ${name}`,
  setting: (name: string) => `the setting ${name}`,
  services: {
    fetch: "a way to the network",
    memories: "a long-term memory",
    notes: "a short-term memory",
    messageId: "a conversation",
    pictures: "pictures",
    actions: BOT_ACCESS,
    privateHosts: "a list of private hosts",
    search: "a search key",
    reminders: "reminders",
    stash: "a place for large enrichments",
  },
} as const;
