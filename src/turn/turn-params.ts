// Everything that one turn is given by the object that runs it, and what one attempt of it is given on top.
import type { SpentBudget } from "../core/state/budget.ts";
import type { TurnRequest } from "../core/state/record.ts";
import type { ToolRuntime } from "../toolkit/run/runtime.ts";
import type { ContextStash } from "./context-restart.ts";
import type { AttachmentReader, Clock, Gate, Log, Model, Reply, Timers, TurnLimits, TurnStore } from "./ports.ts";
import type { QuestionFiles } from "./question-files.ts";

/** One turn's ports, limits and facts. `signal` fires with a `TurnAbort` as its reason. */
export interface TurnParams {
  turnId: string;
  request: TurnRequest;
  systemPrompt: string;
  /** In the order in which they are tried; never empty. */
  models: readonly [Model, ...Model[]];
  store: TurnStore;
  reply: Reply;
  runtime: ToolRuntime;
  gate: Gate;
  stash: ContextStash;
  attachments: AttachmentReader;
  limits: TurnLimits;
  signal: AbortSignal;
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** False for turns that nobody asked for (reminders): no warning, error or progress line is shown. */
  shouldSurfaceUserErrors: boolean;
  /** The budget that leaves no room for one more call of the model; asked before each. */
  spentBudget: () => SpentBudget | null;
  /** A deadline of the turn may have become due (the soft warning): the object looks at once. */
  onDue: () => void;
}

/** One attempt of a turn with one model. */
export interface ToolLoopParams extends TurnParams {
  model: Model;
  files: QuestionFiles;
}
