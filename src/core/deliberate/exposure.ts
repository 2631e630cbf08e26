// Decides which tools deliberate mode lets one turn use. This is decided when the turn's request starts and stored with the
// turn, and is the same for every model, takeover and persona that answers the request.
import { type AffordanceWindow, afterUse, openedBy } from "./affordance-window.ts";
import { type AskingMessage, type ToolMatch, type TriggerSet, toolsAskedFor } from "./tool-matches.ts";

/** The tools that a turn in deliberate mode may use, by name, each with its reason. */
export interface Exposure {
  tools: ToolMatch[];
  /** For how many requests each use keeps the tool offered. */
  turns: number;
  /** Tools used without a stored result: they enriched the context instead. */
  enriching: string[];
  /** How many successful calls the window already includes, by tool, because a parked turn is counted more than once. */
  counted: Record<string, number>;
}

/** The mode for the person whose message starts a turn. */
export interface DeliberateMode {
  active: boolean;
  turns: number;
}

/** What a request may use, and the window after it has started. The exposure is null if the mode is inactive. */
export interface DecidedExposure {
  exposure: Exposure | null;
  window: AffordanceWindow;
}

/** Decides what a starting request may use. `asking` is called only if the mode is active; the window counts down in any case. */
export function decideExposure(
  window: AffordanceWindow,
  { active, turns }: DeliberateMode,
  asking: () => { triggers: TriggerSet; message: Omit<AskingMessage, "retained"> },
): DecidedExposure {
  const { offered, left } = openedBy(window);
  if (!active) return { exposure: null, window: left };
  const { triggers, message } = asking();
  const tools = toolsAskedFor(triggers, { ...message, retained: offered });
  return { exposure: { tools, turns, enriching: [], counted: {} }, window: left };
}

/**
 * Adds a turn's successful calls to the window, except those added before, so it may run twice. `succeeded` counts them
 * by tool. A turn without deliberate mode retains nothing.
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
