// What the object gives to one turn, and what each run with one model gets in addition.
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
  /** The channel's notes; empty if there are none. */
  notes: string;
  /** The notes were written in a turn that had read strangers' words. */
  notesAreTainted?: boolean;
  /** What others said in the channel since the last question (core/transcript/overheard.ts); empty if nothing. */
  overheard: string;
  /** Facts about the person who asks; only that person's turns read them. */
  ownFacts?: readonly OwnFact[];
  /** In the order in which they are tried; never empty. */
  models: readonly [Model, ...Model[]];
  store: TurnStore;
  reply: Reply;
  runtime: ToolRuntime;
  gate: Gate;
  stash: ContextStash;
  attachments: AttachmentReader;
  /** Missing: sounds can't be transcribed here. */
  listen?: Listen | undefined;
  /** What transcribing costs, in US dollars; missing: unknown. */
  usdPerMinute?: number | undefined;
  limits: TurnLimits;
  signal: AbortSignal;
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** False for turns that no person asked for (reminders): they show no warning, error or progress line. */
  shouldSurfaceUserErrors: boolean;
  /**
   * Returns why the turn may make no further model call, or null; called before each one. `microUsd`: what has to be paid before that call. Never
   * rejects, and ends when the signal fires.
   */
  refuseCall: (microUsd?: number) => Promise<CallRefusal | null>;
  /** Whether the person's own words ask for this tool, by its triggers. */
  isAskedFor: (toolName: string) => boolean;
  /** Called when a deadline of the turn may be due (the soft warning), so that the object sets its alarm. */
  onDue: () => void;
}

/** An ending that replaces a model call. */
export type CallRefusal = Extract<Ending, { kind: "budget_spent" | "access_refused" }>;

/** One run of a turn with one model. */
export interface ToolLoopParams extends TurnParams {
  model: Model;
  files: QuestionFiles;
}
