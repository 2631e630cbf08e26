// The list of tools that ship. A new tool is one file in this folder and one line here; a plain module goes through `customTool`.
import { customTool } from "../toolkit/define/custom-tool.ts";
import type { Tool } from "../toolkit/define/tool.ts";
import { addReaction } from "./add-reaction.ts";
import { cancelReminder } from "./cancel-reminder.ts";
import * as convertUnits from "./convert-units.ts";
import { createPoll } from "./create-poll.ts";
import { createThread } from "./create-thread.ts";
import { fetchUrl } from "./fetch-url.ts";
import { forget } from "./forget.ts";
import { generateImage } from "./generate-image.ts";
import { getCurrentTime } from "./get-current-time.ts";
import { listReminders } from "./list-reminders.ts";
import { pinMessage } from "./pin-message.ts";
import { readRecentMessages } from "./read-recent-messages.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { revealMessageMetadata } from "./reveal-message-metadata.ts";
import { rollDice } from "./roll-dice.ts";
import { setReminder } from "./set-reminder.ts";
import { updateShortTermMemory } from "./update-short-term-memory.ts";
import { viewImage } from "./view-image.ts";
import { webSearch } from "./web-search.ts";

/** Every tool of the product; the registry sorts them. */
export const tools: readonly Tool[] = [
  addReaction,
  cancelReminder,
  customTool(convertUnits),
  createPoll,
  createThread,
  fetchUrl,
  forget,
  generateImage,
  getCurrentTime,
  listReminders,
  pinMessage,
  readRecentMessages,
  recall,
  remember,
  revealMessageMetadata,
  rollDice,
  setReminder,
  updateShortTermMemory,
  viewImage,
  webSearch,
];
