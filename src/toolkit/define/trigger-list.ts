// The triggers of the tools that ship, as one list for deliberate mode.
import type { CustomTrigger } from "../../core/deliberate/trigger-phrases.ts";
import type { Tool } from "./tool.ts";

/** Lists every kind of file that asks for one of these tools. */
export const shippedFileTriggers = (tools: readonly Pick<Tool, "name" | "triggers">[]) =>
  tools.flatMap(({ name: tool, triggers }) => (triggers?.files ?? []).map((file) => ({ tool, ...file })));

/** Lists every trigger of these tools, in the tools' order; for each tool its phrases come first. */
export function shippedTriggers(tools: readonly Pick<Tool, "name" | "triggers">[]): CustomTrigger[] {
  return tools.flatMap(({ name: tool, triggers: { phrases = [], patterns = [] } = {} }) => [
    ...phrases.map((text): CustomTrigger => ({ tool, kind: "phrase", text })),
    ...patterns.map((text): CustomTrigger => ({ tool, kind: "pattern", text })),
  ]);
}
