// What deliberate mode lets one turn use: decided when its trigger starts, kept with the turn, the same for every attempt, life and
// persona that answers this trigger.
import { type AffordanceWindow, afterUse, openedBy } from "./affordance-window.ts";
import { type AskingMessage, type ToolMatch, type TriggerSet, toolsAskedFor } from "./tool-matches.ts";

/** The allowed tools of a turn in which the mode is active, by name, each with its reason. */
export interface Exposure {
  tools: ToolMatch[];
  /** For how many triggers a use keeps its tool offered. */
  turns: number;
  /** Uses whose calls left no result: they enriched the context instead. */
  enriching: string[];
  /** Successful calls that the window has taken in already, by tool: a turn that was parked comes by more than once. */
  counted: Record<string, number>;
}

/** What holds for the person whose message starts a turn. */
export interface DeliberateMode {
  active: boolean;
  turns: number;
}

/** What a trigger starts with, and the window that it leaves. The exposure is null while the mode is inactive. */
export interface StartedTrigger {
  exposure: Exposure | null;
  window: AffordanceWindow;
}

/** A trigger starts. `asking` is only asked for while the mode is active; the window is stepped in any case. */
export function startTrigger(
  window: AffordanceWindow,
  { active, turns }: DeliberateMode,
  asking: () => { triggers: TriggerSet; message: Omit<AskingMessage, "retained"> },
): StartedTrigger {
  const { offered, left } = openedBy(window);
  if (!active) return { exposure: null, window: left };
  const { triggers, message } = asking();
  const tools = toolsAskedFor(triggers, { ...message, retained: offered });
  return { exposure: { tools, turns, enriching: [], counted: {} }, window: left };
}

/**
 * Takes a turn's successful calls into the window: those that it has not taken in before. `succeeded` counts them by tool. A turn
 * in which the mode is inactive retains nothing.
 */
export function retainUses(
  window: AffordanceWindow,
  exposure: Exposure | null | undefined,
  succeeded: () => Readonly<Record<string, number>>,
): { window: AffordanceWindow; exposure: Exposure | null } {
  if (!exposure) return { window, exposure: null };
  const counts = succeeded();
  const used = Object.keys(counts).filter((tool) => (counts[tool] ?? 0) > (exposure.counted[tool] ?? 0));
  return {
    window: afterUse(window, [...used, ...exposure.enriching], exposure.turns),
    exposure: { ...exposure, enriching: [], counted: { ...counts } },
  };
}
