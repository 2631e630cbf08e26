// Which tools may run again, or be answered by an earlier answer, without anybody noticing.
import { isQuiet, isRepeatable, type Tool } from "./tool.ts";

/** Most attempts of one call. */
export const MAX_ATTEMPTS = 4;

/** May the runtime repeat a failed call of this tool by itself? */
export const mayRetry = (tool: Tool): boolean => isRepeatable(tool) && isQuiet(tool);

/** May a cached answer of this tool replace a run? */
export const mayCache = (tool: Tool): boolean => tool.hints?.readOnly === true && isQuiet(tool);
