// What people read about deliberate tool mode: whether it is on, which triggers there are, which tools are offered and why.

import type { CustomTrigger } from "../deliberate/trigger-phrases.ts";
import { codePoints, cutText } from "../markdown/code-points.ts";
import type { DeliberateState, ListedTool, ToolsReport } from "../state/rpc.ts";
import { counted } from "./counts.ts";

/** A private answer must fit into one message. */
const SHOWN_CODE_POINTS = 1900;

/** Says whether the mode is on. */
export function deliberateText({ on, personal, active, turns }: DeliberateState): string {
  const kept =
    turns === 0
      ? "While it is on, a tool does not stay offered after it is used."
      : `While it is on, a tool stays offered for ${counted(turns, "turn")} after it is used.`;
  const own = personal === "follow" ? "" : ` You chose \`${personal}\` for your own messages.`;
  return `Deliberate tool mode is ${stateText(on)} here, and ${stateText(active)} for you.${own} ${kept}`;
}

/** Why a change of the mode is refused; a trigger's own faults are in trigger-faults.ts. */
export type DeliberateFault =
  | { fault: "window"; limit: number }
  | { fault: "unknown_tool"; tool: string }
  | { fault: "unknown_trigger" }
  | { fault: "too_many_people"; limit: number };

/** Says which rule was broken. */
export function deliberateFaultText(fault: DeliberateFault): string {
  switch (fault.fault) {
    case "window":
      return `The number of turns must be a whole number from 0 to ${fault.limit}.`;
    case "unknown_tool":
      return `There is no tool \`${cutText(fault.tool, 64)}\`. Use \`/tools list\` to see all tools.`;
    case "unknown_trigger":
      return "There is no such trigger here. Use `/deliberate trigger action:list` to see all triggers.";
    case "too_many_people":
      return `${fault.limit} people have already made their own choice here, which is the limit. Try again after someone chooses \`follow\`.`;
  }
}

/** Lists every trigger that people added, by tool, or those of one tool. Each has its own line: one tool alone may have more than fit. */
export function triggersText(triggers: readonly CustomTrigger[], tool?: string): string {
  const wanted = triggers.filter((trigger) => tool === undefined || trigger.tool === tool);
  if (wanted.length === 0)
    return `This channel has no triggers of its own${tool === undefined ? "" : ` for ${code(cutText(tool, 64))}`}, only the built-in ones. Use \`/deliberate trigger action:add\` to add one.`;
  const lines = wanted.map(({ tool, kind, text }) => [tool, `${code(tool)}: ${kind} ${code(text)}`] as const);
  // The sort is stable, so those of one tool keep their order.
  return fitting(lines.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, line]) => line));
}

/** Lists every tool with its category, whether it is offered now, why, and for how long; the lines about servers come first. */
export function toolsText({ active, tools }: ToolsReport, servers: readonly string[] = []): string {
  const head = active
    ? "Deliberate tool mode is on for you. A tool is offered when your message asks for it, and for a while after it is used."
    : "Deliberate tool mode is off for you. Every available tool is offered on every turn.";
  return fitting([
    head,
    ...servers,
    ...tools.map((tool) => `\`${tool.name}\` (${tool.category}): ${describeExposure(tool, active)}`),
  ]);
}

function describeExposure({ missing, exposed, turnsLeft }: ListedTool, active: boolean): string {
  if (missing.length > 0) return `not available because it needs ${missing.join(" and ")}`;
  if (!active) return "offered";
  if (turnsLeft > 0) return `offered for ${moreTurnsText(turnsLeft)} because it was used recently`;
  return exposed
    ? `offered on every turn (${exposed.source}, ${code(exposed.trigger)})`
    : "offered when a message asks for it";
}

const stateText = (isOn: boolean): string => (isOn ? "on" : "off");
/** Writes a number of further turns. */
export const moreTurnsText = (turns: number): string => counted(turns, "more turn");
const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

/** Returns as many lines as fit into one message, and how many more there are. */
function fitting(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += codePoints(line) + 1;
    if (length > SHOWN_CODE_POINTS) return [...shown, `… and ${lines.length - shown.length} more`].join("\n");
    shown.push(line);
  }
  return shown.join("\n");
}
