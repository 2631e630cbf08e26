// What a tool is. A tool is one file in src/tools and one line in its list; it gets what it needs when it runs and keeps
// nothing. The runtime validates, limits and catches, so a tool has no try/catch of its own.
import type { ZodType } from "zod";

/**
 * What a tool may do to the world: `safe` reads only; `async` is slow or on the network; `terminal` speaks to people and
 * ends the turn; `dangerous` needs a person's approval.
 */
export type ToolCategory = "safe" | "async" | "terminal" | "dangerous";

/** The hints of the Model Context Protocol, all said explicitly. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  /** The same call twice leaves the world as once. */
  idempotent: boolean;
  /** Reaches things outside Discord and this object. */
  openWorld: boolean;
}

/** What every call is given. `now` is fixed at the call's start, so that one call sees one time. */
export interface ToolContext {
  now: number;
  /** Fires on a stop, a timeout or the turn's deadline; pass it to every fetch and sleep. */
  signal: AbortSignal;
  /** Uniform in [0, 1). */
  random: () => number;
  log: (line: string, detail?: Record<string, unknown>) => void;
  channelId: string;
  guildId: string | null;
  userId: string;
  locale: string;
  turnId: string;
  callId: string;
  /** From 1; above it only for tools that may run again. */
  attempt: number;
  /** The same for every attempt of one call: hand it to a service that can drop repetitions. */
  idempotencyKey: string;
}

/** What a tool answers; a thrown error becomes a failure with its message. */
export type ToolOutcome = { ok: true; data: unknown } | { ok: false; error: string; data?: unknown };

/** A tool with its parameters' schema; `input` is checked before `execute` sees anything. */
export interface Tool<Input = unknown> {
  name: string;
  /** Written for the model: when to use it, what it answers. */
  description: string;
  input: ZodType<Input>;
  category: ToolCategory;
  hints: ToolHints;
  execute: (input: Input, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome;
}

/** Checks a tool's types where it is written and forgets its input type, so that tools of all kinds fit one list. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as Tool;
}

/** May an interrupted call simply run again? Only if it can't have done harm. */
export const isRepeatable = (tool: Pick<Tool, "hints">): boolean => tool.hints.readOnly || tool.hints.idempotent;
