// Everything that the object gives one turn, and what each run with one model gets on top.
import type { OwnFact } from "../core/access/person-rpc.ts";
import type { Ending } from "../core/state/ending.ts";
import type { TurnRequest } from "../core/state/record.ts";
import type { ToolRuntime } from "../toolkit/run/runtime.ts";
import type { ContextStash } from "./context-restart.ts";
import type { AttachmentReader, Clock, Gate, Log, Model, Reply, Timers, TurnLimits, TurnStore } from "./ports.ts";
import type { QuestionFiles } from "./question-files.ts";
import type { Listen } from "./sounds.ts";

/** One turn's ports, limits and facts. `signal` fires with a `TurnAbort` as its reason. */
export interface TurnParams {
  turnId: string;
  request: TurnRequest;
  systemPrompt: string;
  /** The channel's notes; empty without any. */
  notes: string;
  /** They were written in a turn that had read words of strangers. */
  notesAreTainted?: boolean;
  /** What others said in the channel since the last question (core/transcript/overheard.ts); empty without any. */
  overheard: string;
  /** Facts of the person who asks, which only their turns read. */
  ownFacts?: readonly OwnFact[];
  /** In the order in which they are tried; never empty. */
  models: readonly [Model, ...Model[]];
  store: TurnStore;
  reply: Reply;
  runtime: ToolRuntime;
  gate: Gate;
  stash: ContextStash;
  attachments: AttachmentReader;
  /** Missing: nothing listens here. */
  listen?: Listen | undefined;
  /** What listening costs, in US dollars; missing: nobody knows. */
  usdPerMinute?: number | undefined;
  limits: TurnLimits;
  signal: AbortSignal;
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** False for turns that no person asked for (reminders): no warning, error or progress line is shown. */
  shouldSurfaceUserErrors: boolean;
  /**
   * Why the turn may make no further model call, or null; called before each one. `microUsd`: what is to be paid before it. Never rejects,
   * and ends when the signal fires.
   */
  refuseCall: (microUsd?: number) => Promise<CallRefusal | null>;
  /** Do the person's own words ask for this tool, by its triggers? */
  isAskedFor: (toolName: string) => boolean;
  /** Called when a deadline of the turn may be due (the soft warning): the object sets its alarm. */
  onDue: () => void;
}

/** An ending instead of a model call. */
export type CallRefusal = Extract<Ending, { kind: "budget_spent" | "access_refused" }>;

/** One run of a turn with one model. */
export interface ToolLoopParams extends TurnParams {
  model: Model;
  files: QuestionFiles;
}
