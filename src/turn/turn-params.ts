// Everything that one turn is given by the object that runs it.
import type { Trigger } from "../core/record.ts";
import type { ToolRegistry } from "../toolkit/registry.ts";
import type { ToolRuntime } from "../toolkit/runtime.ts";
import type { Clock, Gate, Log, Model, Reply, Timers, TurnLimits, TurnStore } from "./ports.ts";

/** One turn's ports, limits and facts. `signal` fires with a `TurnAbort` as its reason. */
export interface TurnParams {
  turnId: string;
  trigger: Trigger;
  systemPrompt: string;
  model: Model;
  store: TurnStore;
  reply: Reply;
  registry: ToolRegistry;
  runtime: ToolRuntime;
  gate: Gate;
  limits: TurnLimits;
  signal: AbortSignal;
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** A deadline of the turn may have become due (the soft warning): the object looks at once. */
  onDue: () => void;
}
