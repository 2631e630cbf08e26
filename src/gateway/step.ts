// One step of the session while it is being decided: the parts of the state that it replaces, the actions so far, and randomness.
import type { GatewayState, LiveState, Program, SavedState } from "./gateway-state.ts";
import type { GatewayAction } from "./inputs-and-actions.ts";
import type { Recollection } from "./recollection.ts";

/** `saved`, `live` and `known` are replaced and never changed in place. */
export interface Step {
  readonly program: Program;
  readonly now: number;
  saved: SavedState;
  live: LiveState;
  known: Recollection;
  readonly actions: GatewayAction[];
  /** Whether the row must be written in this step. */
  mustSave: boolean;
  /** Whether this life ends with this step. */
  isRestarting: boolean;
}

type LogLine = Extract<GatewayAction, { kind: "log" }>;

/** Begins a step. */
export const beginStep = (state: GatewayState, now: number): Step => ({
  ...state,
  now,
  actions: [],
  mustSave: false,
  isRestarting: false,
});

/** Adds an action. */
export const act = (step: Step, action: GatewayAction): void => void step.actions.push(action);

/** Adds a line for the log. */
export function log(step: Step, level: LogLine["level"], line: string, detail?: LogLine["detail"]): void {
  act(step, { kind: "log", level, line, ...(detail && { detail }) });
}

/** Replaces fields of the row, which is written at the end of the step. */
export function save(step: Step, changes: Partial<SavedState>): void {
  step.saved = { ...step.saved, ...changes };
  step.mustSave = true;
}

/** Replaces fields of the state in memory. */
export function setLive(step: Step, changes: Partial<LiveState>): void {
  step.live = { ...step.live, ...changes };
}

/** Returns a random number from 0 to 1 (mulberry32). */
export function chance(step: Step): number {
  const random = (step.live.random + 0x6d2b79f5) | 0;
  setLive(step, { random });
  let t = Math.imul(random ^ (random >>> 15), 1 | random);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
