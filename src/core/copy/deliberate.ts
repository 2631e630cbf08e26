// What people read of deliberate tool mode: how it stands, which triggers there are, which tools are offered and why.

import type { CustomTrigger } from "../deliberate/trigger-phrases.ts";
import type { DeliberateState, ListedTool, ToolsReport } from "../state/rpc.ts";

/** A private answer is one message. */
const SHOWN_CODE_POINTS = 1900;

/** How the mode stands. */
export function deliberateText({ on, personal, active, turns }: DeliberateState): string {
  const kept =
    turns === 0
      ? "A tool is not kept after it was used."
      : `A tool stays offered for ${turnsText(turns)} after it was used.`;
  const own = personal === "follow" ? "" : ` You chose \`${personal}\` for your own messages.`;
  return `Deliberate tool mode is ${stateText(on)} here, and ${stateText(active)} for you.${own} ${kept}`;
}

/** Why a change of the mode is not made; a trigger's own faults are in trigger-faults.ts. */
export type DeliberateFault =
  | { fault: "window"; limit: number }
  | { fault: "unknown_tool"; tool: string }
  | { fault: "unknown_trigger" }
  | { fault: "too_many_people"; limit: number };

/** The rule that was broken. */
export function deliberateFaultText(fault: DeliberateFault): string {
  switch (fault.fault) {
    case "window":
      return `The window is a whole number of turns from 0 to ${fault.limit}.`;
    case "unknown_tool":
      return `There is no tool \`${fault.tool.slice(0, 64)}\`; \`/tools list\` shows them.`;
    case "unknown_trigger":
      return "There is no such trigger here; `/deliberate trigger action:list` shows them.";
    case "too_many_people":
      return `${fault.limit} people have a choice of their own here, which is the most there can be.`;
  }
}

/** Every trigger that people added, by tool. */
export function triggersText(triggers: readonly CustomTrigger[]): string {
  if (triggers.length === 0) return "This channel has no triggers of its own. Every tool has some that are built in.";
  const tools = [...new Set(triggers.map(({ tool }) => tool))].sort();
  const lines = tools.map((tool) => {
    const texts = triggers.filter((trigger) => trigger.tool === tool).map(({ kind, text }) => `${kind} ${code(text)}`);
    return `\`${tool}\`: ${texts.join(", ")}`;
  });
  return fitting(lines);
}

/** Every tool with its category, whether it is offered now, why, and for how long. */
export function toolsText({ active, tools }: ToolsReport): string {
  const head = active
    ? "Deliberate tool mode is on for you: a tool is offered when your words ask for it, and for a while after it was used."
    : "Deliberate tool mode is off for you: every tool that is available is offered on every turn.";
  return fitting([
    head,
    ...tools.map((tool) => `\`${tool.name}\` (${tool.category}): ${describeExposure(tool, active)}`),
  ]);
}

function describeExposure({ missing, exposed, turnsLeft }: ListedTool, active: boolean): string {
  if (missing.length > 0) return `not available, it needs ${missing.join(" and ")}`;
  if (!active) return "offered";
  if (turnsLeft > 0) return `offered for ${turnsText(turnsLeft)} more, it was used recently`;
  return exposed ? `offered on every turn (${exposed.source}, ${code(exposed.trigger)})` : "waits for its words";
}

const stateText = (isOn: boolean): string => (isOn ? "on" : "off");
/** A number of turns, in words. */
export const turnsText = (turns: number): string => (turns === 1 ? "1 turn" : `${turns} turns`);
const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

/** As many lines as one message holds, and how many more there are. */
function fitting(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += [...line].length + 1;
    if (length > SHOWN_CODE_POINTS) return [...shown, `… and ${lines.length - shown.length} more`].join("\n");
    shown.push(line);
  }
  return shown.join("\n");
}
