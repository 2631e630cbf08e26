// The gate of deliberate mode: only tools that the turn's request exposed may run, whatever the model was offered or makes up.
import type { Exposure } from "../core/deliberate/exposure.ts";
import type { Gate } from "./ports.ts";

/** The error that the model reads when the mode blocks a call. */
const BLOCKED = "blocked_by_deliberate_tool_mode";

/**
 * Creates the gate of one turn. `read` returns the exposure as it is stored now, because the words transcribed from a question's sounds add to
 * it. Without an exposure the mode is inactive and nothing is blocked. `names` are the tools that exist here; the refusal names no others.
 */
export function deliberateGate(read: () => Exposure | null | undefined, names: () => readonly string[]): Gate {
  return {
    decide(functionName) {
      const exposure = read();
      if (!exposure) return { allowed: true };
      const { tools } = exposure;
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
