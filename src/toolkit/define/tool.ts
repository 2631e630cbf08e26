// The interface of a tool. A tool is one file in src/tools and one line in its list. It gets what it needs when it runs, and keeps
// nothing. The runtime validates, limits and catches, so a tool contains no try/catch.
import type { $ZodType } from "zod/v4/core";
import type { MadeFile } from "../../core/state/reply-files.ts";
import type { TurnTaint } from "../../core/taint/taint.ts";
import type { Failure } from "./channel-actions.ts";
import type { Rule } from "./rules.ts";
import type { ServiceName, ToolServices } from "./tool-services.ts";

export type { ChannelMessage } from "./channel-actions.ts";
export type {
  Pictures,
  Reminder,
  SearchHit,
  ServiceName,
  SetReminder,
  ToolServices,
} from "./tool-services.ts";

/**
 * What a tool may do to the world: `safe` only reads; `async` is slow or uses the network; `terminal` speaks to people and ends the turn;
 * `dangerous` needs a person's approval.
 */
export type ToolCategory = "safe" | "async" | "terminal" | "dangerous";

/** The hints of the Model Context Protocol, each one explicit. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  /** A second, equal call changes nothing more. */
  idempotent: boolean;
  /** Reaches things outside Discord and this object. */
  openWorld: boolean;
}

/** The facts that every call gets. `now` is fixed when the call starts, so that one call sees one time. */
export interface ToolContext {
  now: number;
  /** Fires on a stop, a timeout or the turn's deadline. Pass it to every fetch and sleep. */
  signal: AbortSignal;
  /** Uniform in [0, 1). */
  random: () => number;
  log: (line: string, detail?: Record<string, unknown>) => void;
  /**
   * Returns the first `chars` characters of a text, without secrets. A secret must be removed before the text is cut, because a part of it would
   * not be recognized.
   */
  beginning: (text: string, chars: number) => string;
  channelId: string;
  guildId: string | null;
  userId: string;
  locale: string;
  turnId: string;
  callId: string;
  /** Counts from 1; greater than 1 only for tools that may run again. */
  attempt: number;
  /** The same for every attempt of one call. Pass it to a service that can drop duplicates. */
  idempotencyKey: string;
  /**
   * Reports that the work is making progress: the attempt's own time limit starts again, but the limit of the whole call does not. Missing
   * outside an attempt.
   */
  goesOn?: () => void;
  /** What the turn has read. Missing outside a turn, which counts as nothing from strangers. */
  taint?: TurnTaint;
}

interface OutcomeExtras {
  /** For people and the model, in addition to the data. */
  message?: string;
  /** Facts about images in the data that later steps need. */
  imageMetadata?: unknown;
  /** Attached to the reply when it is complete, if the call succeeds. The model reads their names, types and sizes. */
  files?: readonly MadeFile[];
  /** The turn ends after this call, whatever the tool's category. */
  endTurn?: boolean;
}

/** A tool's answer. A thrown error becomes a failure with the error's message. */
export type ToolOutcome =
  | ({ ok: true; data: unknown } & OutcomeExtras)
  | (Failure & { data?: unknown } & OutcomeExtras);

/** A JSON Schema of an object: draft 2020-12, or draft 7 if its `$schema` says so. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Facts of a call that a cached answer may depend on, in addition to its arguments. */
export type VaryField = "channelId" | "guildId" | "userId" | "locale";

/**
 * How long an answer may replace a new run. `turn`: for this turn. `session`: while the object lives. `persistent`: in storage, which requires
 * `ttlSeconds`.
 */
export interface CachePolicy {
  scope: "turn" | "session" | "persistent";
  ttlSeconds?: number;
  vary?: readonly VaryField[];
}

/** What a tool can't work without. While anything is missing, the tool is not offered, and calls to it are refused. */
export interface ToolNeeds<Needed extends ServiceName = ServiceName> {
  /** The services that the tool uses; it gets these and no others. */
  services?: readonly Needed[];
  botToken?: boolean;
  /** Discord permissions that the person needs, by Discord's names (`MANAGE_MESSAGES`). */
  permissions?: readonly string[];
  modelAbilities?: readonly string[];
  /** Names of the channel's settings that must have a value. */
  settings?: readonly string[];
}

/**
 * The words that ask for a tool in deliberate mode, in the notation of core/deliberate/trigger-phrases.ts. Avoid words that are common in
 * ordinary sentences: the corpus that tests them contains hundreds.
 */
export interface ToolTriggers {
  phrases?: readonly string[];
  patterns?: readonly string[];
  /** Files that ask for the tool when they are attached: the beginnings of their content types, and what people call such files. */
  files?: readonly { type: string; label: string }[];
}

/** What `execute` gets: the facts of the call and the services that its tool names. */
export type ServedContext<Needed extends ServiceName> = ToolContext & Pick<ToolServices, Needed>;

/** What a turn knows about a tool before it is called. A turn that calls no tool loads nothing more. */
export interface ToolCard {
  name: string;
  category: ToolCategory;
  hints: ToolHints;
  triggers?: ToolTriggers;
  requires?: ToolNeeds;
  /** Types of data (`context_restart_…`) that enrich what the model sees, in addition to those that any tool may return. */
  restarts?: readonly string[];
  /** If the answer has text before this call, the turn ends when the call succeeds, because there is nothing left to say. */
  endsTurnAfterText?: true;
  /**
   * Its results contain words of strangers: text that may have been written by people who don't use the bot. A turn that has read them needs the
   * asker's approval by a button before it changes something. A function decides by the data of a success; only the tool itself has it.
   */
  untrusted?: true | ((data: unknown) => boolean);
  /** The remote server that the tool belongs to. Its description is that server's words. */
  server?: string;
  /** A success contains addresses that may be read in the same turn. */
  givesAddresses?: true;
}

/** A tool with the schema of its parameters. `input` is checked before `execute` gets anything. */
export interface Tool<Input = unknown, Needed extends ServiceName = ServiceName> extends ToolCard {
  /** Written for the model: when to use the tool and what it returns. */
  description: string;
  /** A zod object, or a JSON Schema for a tool that is known only at run time. */
  input: $ZodType<Input> | JsonSchema;
  /** Change this when the meaning of the answers changes, so that answers cached by an older program are not used. */
  version?: string;
  /** Time limit of one attempt in milliseconds. Without it, an attempt may use what is left of the whole call's limit. */
  timeoutMs?: number;
  /** The number of attempts in all, 1 to 4. By default a tool that may run again has 4. */
  retry?: { attempts: number };
  cache?: CachePolicy;
  /** What the parameters require of each other. */
  rules?: readonly Rule[];
  requires?: ToolNeeds<Needed>;
  /** Names the effect, if two different calls may mean the same one. By default the effect is named by the call's position in its turn. */
  idempotencyKey?: (input: Input, context: ToolContext) => string;
  /** The web address that a call reads. In a tainted turn, an address that nobody gave needs the asker's approval by a button. */
  address?: (input: Input) => string;
  /** How many characters of JSON the model sees; 20,000 by default. */
  maxResultChars?: number;
  /** Who approves a dangerous call. By default the person who asked, or a moderator. */
  approvedBy?: "moderator";
  /** Returns Discord's id of the message that a call is about. A request for approval links to it. */
  concerns?: (input: Input, context: ServedContext<Needed>) => string | null;
  /**
   * Returns why the call can't succeed as it is, as far as that is known without doing anything; null if it may work. It is consulted before a
   * person is asked to approve the call, so that nobody approves in vain: a turn may ask only once.
   */
  objection?: (input: Input, context: ServedContext<Needed>) => string | null;
  execute: (input: Input, context: ServedContext<Needed>) => Promise<ToolOutcome> | ToolOutcome;
}

/** Checks a tool's types where it is written, then hides its input type, so that all tools fit into one list. */
export function defineTool<Input, Needed extends ServiceName = never>(
  tool: Tool<Input, Needed>,
): Tool<unknown, Needed> {
  return tool as Tool<unknown, Needed>;
}

/** Whether an interrupted call may simply run again: only if it can't have done harm. */
export const isRepeatable = (tool: Pick<Tool, "hints">): boolean => tool.hints.readOnly || tool.hints.idempotent;

/** Whether the tool neither speaks to people nor needs their approval. */
export const isQuiet = ({ category }: Pick<Tool, "category">): boolean => category === "safe" || category === "async";

/** Whether calls may run in parallel with others of their kind. */
export const runsTogether = (tool: Pick<Tool, "category" | "hints">): boolean => tool.hints.readOnly && isQuiet(tool);

/** Whether the tool's schema is known only at run time, because it comes from a custom module or a remote server. */
export const isDynamic = (tool: Pick<Tool, "input">): tool is { input: JsonSchema } =>
  typeof (tool.input as { safeParse?: unknown }).safeParse !== "function";

/** Whether a moderator must approve this tool's calls instead of the asker. Only a dangerous tool can require that. */
export const isForModerator = ({ category, approvedBy }: Pick<Tool, "category" | "approvedBy">): boolean =>
  category === "dangerous" && approvedBy === "moderator";
