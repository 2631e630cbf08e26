// The list of tools that ship. A new tool is one file beside this one and one line here.
import type { Tool } from "../toolkit/tool.ts";
import { getCurrentTime } from "./get-current-time.ts";
import { rollDice } from "./roll-dice.ts";

/** Every tool of the product; the registry sorts them. */
export const tools: readonly Tool[] = [getCurrentTime, rollDice];
