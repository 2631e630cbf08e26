// The list of tools that ship. A new tool is one file beside this one and one line here.
import type { Tool } from "../toolkit/tool.ts";
import { fetchUrl } from "./fetch-url.ts";
import { forget } from "./forget.ts";
import { getCurrentTime } from "./get-current-time.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { rollDice } from "./roll-dice.ts";
import { updateShortTermMemory } from "./update-short-term-memory.ts";
import { webSearch } from "./web-search.ts";

/** Every tool of the product; the registry sorts them. */
export const tools: readonly Tool[] = [
  fetchUrl,
  forget,
  getCurrentTime,
  recall,
  remember,
  rollDice,
  updateShortTermMemory,
  webSearch,
];
