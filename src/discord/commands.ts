// The commands as Discord is told of them. Pure data: registration sends it as it is.
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord-api-types/v10";
import { QUESTION_CODE_POINTS } from "../core/limits.ts";

const CHAT_INPUT = 1;
const STRING_OPTION = 3;
const IN_GUILDS = 0;
const FOR_USERS = 1;
const GUILD = 0;
const BOT_DM = 1;
const PRIVATE_CHANNEL = 2;

/** Every command, for guild and user installs and in all contexts. */
export const commands = [
  {
    type: CHAT_INPUT,
    name: "chat",
    description: "Ask Parley something",
    integration_types: [IN_GUILDS, FOR_USERS],
    contexts: [GUILD, BOT_DM, PRIVATE_CHANNEL],
    options: [
      {
        type: STRING_OPTION,
        name: "message",
        description: "What you want to say",
        required: true,
        max_length: QUESTION_CODE_POINTS,
      },
    ],
  },
] satisfies RESTPutAPIApplicationCommandsJSONBody;
