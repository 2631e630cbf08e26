// The answers to `/owner`, for owners and for anyone else who tries it.

/** Sentences about `/owner`. */
export const ownerText = {
  ownersOnly: "Only my owner can use `/owner`.",
  directOnly: "`/owner` works only in a direct message with me.",
  notAnId: (what: "server" | "user") =>
    `${what === "user" ? "That is neither a mention nor" : "That is not"} the ID of a ${what}. To copy the ID, turn on Developer Mode in Discord, right-click the ${what} and choose Copy ID.`,
  isOwner: "You can't block an owner.",
  allowed: (guildId: string) => `I now work in the server \`${guildId}\`.`,
  notListed: (guildId: string) =>
    `\`SERVERS\` is \`listed\`, so I work only in servers that \`ALLOWED_SERVERS\` names. Add \`${guildId}\` there and deploy again.`,
  denied: (guildId: string, reason: string) =>
    `I start no new answers in the server \`${guildId}\`. People there see this reason: ${reason}`,
  blocked: (userId: string) => `I start no new answers for <@${userId}>.`,
  unblocked: (userId: string) => `I answer <@${userId}> again, wherever I'm allowed.`,
  paused:
    "I'm paused: nothing new begins, and reminders wait. Anyone who asks me sees that. Use `/owner pause state:off` to end the pause.",
  resumed: "The pause has ended.",
  unchanged: "Already done. Nothing was changed.",
  full: (limit: number) => `The list is full: it has ${limit} people. Unblock someone first.`,
  within: "-# This takes effect everywhere within a minute.",
} as const;
