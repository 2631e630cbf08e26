// Why a person may not use the bot here, and who can change it. Said to that person alone.
import type { AccessRefusal } from "../access/judge.ts";

/** The sentence. A reason that an owner gave is quoted as it is. */
export function accessText(refusal: AccessRefusal): string {
  switch (refusal.reason) {
    case "paused":
      return "My owner has paused me everywhere. Try again later.";
    case "blocked":
      return "My owner has blocked you, so I can't answer you. Only my owner can change that.";
    case "server_denied":
      return `My owner has switched me off in this server: ${refusal.because}`;
    case "private_server":
      return "I'm a private bot, and I'm not switched on in this server. My owner can switch me on by using any of my commands here.";
    case "unlisted_server":
      return "I'm a private bot, and this server is not on my list. My owner can change that with the variable ALLOWED_SERVERS.";
    case "private_visitor":
      return "I'm a private bot, and only certain people can use me here. My owner can change that with the variables VISITORS and ALLOWED_USERS.";
    case "no_owner":
      return "I'm a private bot, but I don't know yet who owns me. Whoever runs me has to set the variable OWNER_IDS.";
    case "not_any_more":
      return "You may no longer use me here.";
    case "unchecked":
      return "I can't check right now whether you may use me here. Try again in a minute.";
    case "limit_unchecked":
      return "I can't check right now whether my budget allows another answer. Try again in a minute.";
  }
}

/** Sentences about `/owner`. */
export const ownerText = {
  ownersOnly: "Only my owner can use `/owner`.",
  directOnly: "`/owner` works only in a direct message with me.",
  notAnId: (what: "server" | "user") =>
    `That is not the ID of a ${what}. It has only digits. In Discord, turn on Developer Mode, then right-click the ${what} and choose Copy ID.`,
  isOwner: "You can't block an owner.",
  allowed: (guildId: string) => `I now work in the server \`${guildId}\`.`,
  notListed: (guildId: string) =>
    `\`SERVERS\` is \`listed\`, so I work only in servers that \`ALLOWED_SERVERS\` names. Add \`${guildId}\` there and deploy again.`,
  denied: (guildId: string, reason: string) =>
    `I no longer answer in the server \`${guildId}\`. People there read this reason: ${reason}`,
  blocked: (userId: string) => `I no longer answer <@${userId}>.`,
  unblocked: (userId: string) => `I answer <@${userId}> again, wherever I'm allowed.`,
  paused: "I'm paused: nothing new starts. Whoever asks me reads that. Use `/owner pause state:off` to end the pause.",
  resumed: "The pause has ended.",
  unchanged: "It was already so. Nothing was changed.",
  full: (limit: number) => `The list is full: it has ${limit} people. Unblock someone first.`,
  within: "-# This takes effect everywhere within a minute. A running answer is not stopped.",
} as const;
