// The gate of deliberate mode: only what a turn's trigger exposed may be launched, whatever the model was offered or invents.
import type { Exposure } from "../core/deliberate/exposure.ts";
import type { Gate } from "./ports.ts";

/** What the model reads of a call that the mode did not let through. */
export const BLOCKED = "blocked_by_deliberate_tool_mode";

/**
 * The gate of one turn; without an exposure the mode is not active and nothing is held back. `names` are the tools that could be
 * called here: the model is told of no others.
 */
export function deliberateGate(exposure: Exposure | null | undefined, names: () => readonly string[]): Gate {
  if (!exposure) return { decide: () => ({ allowed: true }) };
  const { tools } = exposure;
  return {
    decide(functionName) {
      const match = tools.find(({ toolName }) => toolName === functionName);
      if (match) return { allowed: true, trigger: { phrase: match.trigger, source: match.source } };
      const isAllowed = (name: string) => tools.some(({ toolName }) => toolName === name);
      return {
        allowed: false,
        payload: { status: BLOCKED, functionName, allowedToolNames: names().filter(isAllowed) },
      };
    },
  };
}
