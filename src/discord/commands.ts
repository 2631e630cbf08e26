// The commands as Discord is told of them. Pure data: registration sends it as it is.
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord-api-types/v10";
import { QUESTION_CODE_POINTS } from "../core/limits.ts";

const CHAT_INPUT = 1;
const SUBCOMMAND = 1;
const STRING_OPTION = 3;
const ATTACHMENT_OPTION = 11;
const IN_GUILDS = 0;
const FOR_USERS = 1;
const GUILD = 0;
const BOT_DM = 1;
const PRIVATE_CHANNEL = 2;

const EVERYWHERE = {
  integration_types: [IN_GUILDS, FOR_USERS],
  contexts: [GUILD, BOT_DM, PRIVATE_CHANNEL],
};

/** Every command, for guild and user installs and in all contexts. */
export const commands = [
  {
    type: CHAT_INPUT,
    name: "chat",
    description: "Ask Parley something",
    ...EVERYWHERE,
    options: [
      {
        type: STRING_OPTION,
        name: "message",
        description: "What you want to say",
        required: true,
        max_length: QUESTION_CODE_POINTS,
      },
      { type: ATTACHMENT_OPTION, name: "file", description: "An image or a text file to look at" },
    ],
  },
  {
    type: CHAT_INPUT,
    name: "stop",
    description: "Stop the answer that is being written; what was said stays",
    ...EVERYWHERE,
  },
  {
    type: CHAT_INPUT,
    name: "bot",
    description: "What Parley is doing here",
    ...EVERYWHERE,
    options: [
      { type: SUBCOMMAND, name: "kill", description: "End the running answer at once and clear the queue" },
      { type: SUBCOMMAND, name: "status", description: "Show what is running and who waits" },
      { type: SUBCOMMAND, name: "reset", description: "Forget this channel's conversation" },
    ],
  },
] satisfies RESTPutAPIApplicationCommandsJSONBody;
