// The list of tools that ship. A new tool is one file beside this one and one line here.
import type { Tool } from "../toolkit/tool.ts";
import { cancelReminder } from "./cancel-reminder.ts";
import { fetchUrl } from "./fetch-url.ts";
import { forget } from "./forget.ts";
import { getCurrentTime } from "./get-current-time.ts";
import { listReminders } from "./list-reminders.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { rollDice } from "./roll-dice.ts";
import { setReminder } from "./set-reminder.ts";
import { updateShortTermMemory } from "./update-short-term-memory.ts";
import { webSearch } from "./web-search.ts";

/** Every tool of the product; the registry sorts them. */
export const tools: readonly Tool[] = [
  cancelReminder,
  fetchUrl,
  forget,
  getCurrentTime,
  listReminders,
  recall,
  remember,
  rollDice,
  setReminder,
  updateShortTermMemory,
  webSearch,
];
