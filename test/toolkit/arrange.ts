// The setup for tests of the runtime: a tool that does what the test says, a runtime over a clock that only the test moves, and
// a ledger that is as strict as the one in storage.
// Loaded here because the runtime would load it at the first call, which takes longer than the test's clock waits.
import "../../src/toolkit/run/answer-call.ts";
import { object } from "zod";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool, type Tool, type ToolHints } from "../../src/toolkit/define/tool.ts";
import type { CallContext } from "../../src/toolkit/run/call-context.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import type { LaunchEntry, LaunchState, Ledger, RuntimePorts } from "../../src/toolkit/run/runtime-ports.ts";
import type { ExecutedResult, ToolResult } from "../../src/toolkit/tool-result.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { testContext } from "./context.ts";

export const CALL_LIMIT_MS = 10_000;

export const READS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
export const PUTS: ToolHints = { readOnly: false, destructive: false, idempotent: true, openWorld: true };
export const COUNTS: ToolHints = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

/** A tool called `probe` that only reads and does what the test says. */
export const probe = (execute: Tool<never>["execute"], over: Partial<Tool> = {}): Tool =>
  defineTool({
    name: "probe",
    description: "For tests.",
    input: object({}),
    category: "safe",
    hints: READS,
    ...over,
    execute: execute as Tool["execute"],
  });

/** A tool that counts its runs and answers how many there were. */
export function counting(over: Partial<Tool> = {}): { tool: Tool; runs: () => number } {
  let runs = 0;
  const tool = probe(() => ({ ok: true, data: ++runs }), { category: "async", hints: COUNTS, ...over });
  return { tool, runs: () => runs };
}

export interface Bench {
  clock: TestClock;
  /** The whole result. */
  execute(call: Record<string, unknown>, context?: CallContext): Promise<ExecutedResult>;
  /** The result of a call of `probe`, without the details of how it came about. */
  call(args?: unknown, context?: CallContext, name?: string): Promise<ToolResult>;
}

/** A runtime with these tools. */
export const bench = (...tools: Tool[]): Bench => benchWith({}, ...tools);

/** A runtime with these tools and these ports. */
export function benchWith(ports: RuntimePorts, ...tools: Tool[]): Bench {
  const clock = createTestClock(0);
  const runtime = new ToolRuntime(createToolRegistry(tools), {
    after: clock.timers.after,
    clock: clock.now,
    random: () => 0.5,
    ...ports,
  });
  const execute = (call: Record<string, unknown>, context: CallContext = {}) =>
    runtime.execute(call, { ...testContext(), ...context }, CALL_LIMIT_MS);
  return {
    clock,
    execute,
    async call(args = "{}", context = {}, name = "probe") {
      const { meta: _meta, ...result } = await execute({ name, arguments: args }, context);
      return result;
    },
  };
}

/** A ledger in memory, with lives: an entry of a former life stays pending. */
export class MemoryLedger implements Ledger {
  readonly entries = new Map<string, LaunchEntry & { life: number; result: ToolResult | null }>();
  life = 1;
  /** Whether no other life has taken the turn over yet. */
  isOurs = true;

  find({ key }: LaunchEntry): (LaunchEntry & LaunchState) | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const { life, result, ...rest } = entry;
    return result ? { ...rest, state: "settled", result } : { ...rest, state: "pending", ownLife: life === this.life };
  }

  settledBefore({ turnId, tool, args }: LaunchEntry): ToolResult | null {
    const equal = [...this.entries.values()].find(
      (entry) => entry.turnId === turnId && entry.tool === tool && entry.args === args && entry.result !== null,
    );
    return equal?.result ?? null;
  }

  open(entry: LaunchEntry): boolean {
    if (this.isOurs) this.entries.set(entry.key, { ...entry, life: this.life, result: null });
    return this.isOurs;
  }

  settle(entry: LaunchEntry, result: ToolResult): boolean {
    if (this.isOurs) this.entries.set(entry.key, { ...entry, life: this.life, result });
    return this.isOurs;
  }
}
