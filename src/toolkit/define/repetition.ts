// Decides which tools may run again, or be answered from a cache, without anybody noticing.
import { isQuiet, isRepeatable, type Tool } from "./tool.ts";

/** The most attempts of one call. */
export const MAX_ATTEMPTS = 4;

/** Whether the runtime may repeat a failed call of this tool by itself. */
export const mayRetry = (tool: Tool): boolean => isRepeatable(tool) && isQuiet(tool);

/** Whether a cached answer of this tool may replace a run. */
export const mayCache = (tool: Tool): boolean => tool.hints?.readOnly === true && isQuiet(tool);
