// What a tool is. A tool is one file in src/tools and one line in its list. It gets what it needs when it runs and keeps nothing.
// The runtime validates, limits and catches, so a tool has no try/catch of its own.
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
 * What a tool may do to the world: `safe` reads only; `async` is slow or uses the network; `terminal` speaks to people and ends
 * the turn; `dangerous` needs a person's approval.
 */
export type ToolCategory = "safe" | "async" | "terminal" | "dangerous";

/** The hints of the Model Context Protocol, each one explicit. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  /** A second equal call changes nothing more. */
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
  /** The first `chars` characters of a text. A secret within the text goes whole: a part of one, after a cut, would not be found. */
  beginning: (text: string, chars: number) => string;
  channelId: string;
  guildId: string | null;
  userId: string;
  locale: string;
  turnId: string;
  callId: string;
  /** Counts from 1; more than 1 only for tools that may run again. */
  attempt: number;
  /** The same for every attempt of one call. Pass it to a service that can drop repetitions. */
  idempotencyKey: string;
  /** Says that the work continues: the attempt's own limit begins anew, and the whole call's stays. Missing outside an attempt. */
  goesOn?: () => void;
  /** What the turn has read; missing outside a turn: nothing from strangers. */
  taint?: TurnTaint;
}

interface OutcomeExtras {
  /** For people and the model, beside the data. */
  message?: string;
  /** Facts about images in the data that later steps need. */
  imageMetadata?: unknown;
  /** Attached to the reply when it is complete, if the call succeeds. The model reads their names, types and sizes. */
  files?: readonly MadeFile[];
  /** The turn ends after this call, whatever the tool's category. */
  endTurn?: boolean;
}

/** A tool's answer. A thrown error becomes a failure with its message. */
export type ToolOutcome =
  | ({ ok: true; data: unknown } & OutcomeExtras)
  | (Failure & { data?: unknown } & OutcomeExtras);

/** A JSON Schema of an object: draft 2020-12, or draft 7 if its `$schema` says so. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Facts of a call that a cached answer may depend on besides its arguments. */
export type VaryField = "channelId" | "guildId" | "userId" | "locale";

/**
 * How long an answer may replace a new run. `turn`: for this turn. `session`: while the object lives. `persistent`: in storage;
 * then `ttlSeconds` is required.
 */
export interface CachePolicy {
  scope: "turn" | "session" | "persistent";
  ttlSeconds?: number;
  vary?: readonly VaryField[];
}

/** What a tool can't work without. While something is missing the tool is not offered, and a call of it is refused. */
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
 * The words that ask for a tool in deliberate mode, in the notation of core/deliberate/trigger-phrases.ts. Avoid words that are
 * common in ordinary sentences: the corpus of its test has hundreds.
 */
export interface ToolTriggers {
  phrases?: readonly string[];
  patterns?: readonly string[];
  /** Files that ask for the tool by being attached: the beginnings of their content types, and what people call such a file. */
  files?: readonly { type: string; label: string }[];
}

/** What `execute` gets: the facts of the call and the services that its tool names. */
export type ServedContext<Needed extends ServiceName> = ToolContext & Pick<ToolServices, Needed>;

/** What a turn knows of a tool before it is called: no more is read for a turn that calls none. */
export interface ToolCard {
  name: string;
  category: ToolCategory;
  hints: ToolHints;
  triggers?: ToolTriggers;
  requires?: ToolNeeds;
  /** Types of data (`context_restart_…`) that enrich what the model sees, besides those that any tool may return. */
  restarts?: readonly string[];
  /** If the answer has text before this call, the turn ends when the call succeeds: nothing is left to say. */
  endsTurnAfterText?: true;
  /**
   * Its results have words of strangers: what people who don't use the bot may have written. A turn that has read them needs the asker's
   * button for what changes something. A function, which the tool alone has, decides by the data of a success.
   */
  untrusted?: true | ((data: unknown) => boolean);
  /** The remote server that it belongs to. Its description is that server's words. */
  server?: string;
  /** A success of it gives addresses that may be read in the same turn. */
  givesAddresses?: true;
}

/** A tool with its parameters' schema. `input` is checked before `execute` sees anything. */
export interface Tool<Input = unknown, Needed extends ServiceName = ServiceName> extends ToolCard {
  /** Written for the model: when to use the tool and what it returns. */
  description: string;
  /** A zod object, or a JSON Schema for a tool that is known only at run time. */
  input: $ZodType<Input> | JsonSchema;
  /** Change this when the meaning of the answers changes, so that answers cached by an older program are not used. */
  version?: string;
  /** Limit of one attempt in milliseconds; without one an attempt may use what is left of the whole call's limit. */
  timeoutMs?: number;
  /** Attempts in all, 1 to 4. A tool that may run again has 4 by default. */
  retry?: { attempts: number };
  cache?: CachePolicy;
  /** What the parameters require of each other. */
  rules?: readonly Rule[];
  requires?: ToolNeeds<Needed>;
  /** Names the effect when two different calls may mean the same one. By default the call's position in its turn names it. */
  idempotencyKey?: (input: Input, context: ToolContext) => string;
  /** The web address that a call reads. In a tainted turn one that nobody gave needs the asker's button. */
  address?: (input: Input) => string;
  /** How many characters of JSON the model gets to see; 20,000 by default. */
  maxResultChars?: number;
  /** Who approves a dangerous call. By default the person who asked, or a moderator. */
  approvedBy?: "moderator";
  /** Discord's id of the message that a call is about. A request for approval links to it. */
  concerns?: (input: Input, context: ServedContext<Needed>) => string | null;
  /**
   * Why a call must fail as it is, as far as that can be known without doing anything; null if it may work. Where a person has to approve
   * the call, it is asked before they are: nobody approves in vain, and a turn may ask only once.
   */
  objection?: (input: Input, context: ServedContext<Needed>) => string | null;
  execute: (input: Input, context: ServedContext<Needed>) => Promise<ToolOutcome> | ToolOutcome;
}

/** Checks a tool's types where it is written, and then hides its input type, so that all tools fit into one list. */
export function defineTool<Input, Needed extends ServiceName = never>(
  tool: Tool<Input, Needed>,
): Tool<unknown, Needed> {
  return tool as Tool<unknown, Needed>;
}

/** May an interrupted call simply run again? Only if it can't have done harm. */
export const isRepeatable = (tool: Pick<Tool, "hints">): boolean => tool.hints.readOnly || tool.hints.idempotent;

/** Does it neither speak to people nor need their approval? */
export const isQuiet = ({ category }: Pick<Tool, "category">): boolean => category === "safe" || category === "async";

/** May the call run in parallel with others of its kind? */
export const runsTogether = (tool: Pick<Tool, "category" | "hints">): boolean => tool.hints.readOnly && isQuiet(tool);

/** A tool whose schema is known only at run time: from a custom module or a remote server. */
export const isDynamic = (tool: Pick<Tool, "input">): tool is { input: JsonSchema } =>
  typeof (tool.input as { safeParse?: unknown }).safeParse !== "function";

/** May the asker alone not approve this tool's calls? Only a dangerous one has another approver. */
export const isForModerator = ({ category, approvedBy }: Pick<Tool, "category" | "approvedBy">): boolean =>
  category === "dangerous" && approvedBy === "moderator";
