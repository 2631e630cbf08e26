// The gate of a turn, as the loop asks it. Types only.

/** Why a tool is offered in a turn that offers only what was asked for. */
export interface TriggerMatch {
  phrase: string;
  /** `built-in`, `custom` or `follow-up`. */
  source: string;
}

/** The gate's verdict on a call; the model reads a refusal's payload. */
export type GateVerdict =
  | { allowed: true; trigger?: TriggerMatch }
  | { allowed: false; payload: Record<string, unknown> };

/** Asked right before a tool is launched, also for calls that were never offered. */
export interface Gate {
  decide(toolName: string): GateVerdict;
}
