// The sentences about commands that change a channel: why a change was refused, and what was forgotten.
import { counted } from "./counts.ts";

/** The answers to people who wanted to change a setting, the triggers or the conversation. */
export const changeText = {
  choiceMissing: "One of the choices is missing. Use the command again and pick one.",
  oneTrigger: "A trigger needs one `tool` and either a `phrase` or a `pattern`. Use the command again and give both.",
  settingRefused: (rule: string) => `${rule} Nothing was changed.`,
  noServerScope:
    "Only a server that has added me can have its own settings. Leave `scope` out to use the settings here.",
  settingNeedsOwner: (key: string) =>
    `Here only my owner can change \`${key}\`. Ask my owner, or use a server that has added me, where its managers can.`,
  settingNeedsServer: (key: string) => `\`${key}\` has no effect in a direct message. Use it in a server.`,
  settingNeedsBotToken: (key: string) =>
    `\`${key}\` can't work because I run without a bot token. Ask the bot's owner to set \`DISCORD_BOT_TOKEN\`.`,
  settingNeedsMembership: (key: string) =>
    `\`${key}\` can't work here because this server has not added me. Ask someone with the Manage Server permission to add me.`,
  reset: (messages: number, reminders = 0) =>
    [
      messages === 0
        ? "There was no conversation to forget here."
        : `Forgot the conversation here (${counted(messages, "stored message")}) and my notes about it.`,
      "Settings, long-term memory and unfinished answers are unchanged.",
      ...(reminders > 0
        ? [`${counted(reminders, "reminder remains", "reminders remain")}; see \`/reminders list\`.`]
        : []),
    ].join(" "),
} as const;
