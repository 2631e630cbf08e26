// The tools of one turn: which of them are offered, and the result of each call. The code that runs a call is a separate module, which is
// loaded at the first call.
import { missingFor } from "../define/availability.ts";
import type { ToolCard } from "../define/tool.ts";
import type { ToolEntry, ToolRegistry, ToolSchema } from "../define/tool-cards.ts";
import type { RuntimeCall } from "../intake/call.ts";
import { resolveToolName } from "../intake/tool-name.ts";
import type { ExecutedResult } from "../tool-result.ts";
import type { CallAnswers } from "./answer-call.ts";
import type { CallContext } from "./call-context.ts";
import type { RuntimePorts } from "./runtime-ports.ts";

export type { ToolResult } from "../tool-result.ts";

/** The time limit of one call with all its attempts, if the caller sets none. */
const CALL_TIMEOUT_MS = 60_000;

/** Runs calls to the tools of one registry. One per turn; equal cacheable calls in flight share one run. */
export class ToolRuntime {
  readonly #registry: ToolRegistry;
  readonly #ports: RuntimePorts;
  #answers: Promise<CallAnswers> | null = null;
  /** The tools that were offered last, with the entries and abilities they were filtered by: a turn asks before each request. */
  #offered: { entries: readonly ToolEntry[]; abilities: string; schemas: readonly ToolSchema[] } | null = null;

  constructor(registry: ToolRegistry, ports: RuntimePorts = {}) {
    this.#registry = registry;
    this.#ports = ports;
  }

  /** Returns the tool that a call with this name reaches, even under a variant of the name; null for none. */
  toolFor(name: string): ToolCard | null {
    const resolved = resolveToolName(name, this.names());
    return resolved.found ? this.#registry.get(resolved.name) : null;
  }

  /** Returns every tool's name, offered or not. */
  names(): readonly string[] {
    return this.#registry.names();
  }

  /** Returns the tools that have what they need now, in the form that models get. The next model may be offered fewer or more. */
  schemas(): readonly ToolSchema[] {
    const { availability, services = {} } = this.#ports;
    const entries = this.#registry.entries();
    const abilities = [...(availability?.modelAbilities ?? [])].join();
    if (this.#offered?.entries !== entries || this.#offered.abilities !== abilities) {
      const offered = entries.filter(({ card }) => missingFor(card, availability, services).length === 0);
      this.#offered = { entries, abilities, schemas: offered.map(({ schema }) => schema) };
    }
    return this.#offered.schemas;
  }

  /**
   * Runs one call; `timeoutMs` covers all attempts. Never throws. The tool's signal fires with the context's signal or at a time limit. A tool
   * that ignores it is abandoned, and its later answer is dropped.
   */
  async execute(call: RuntimeCall, context: CallContext = {}, timeoutMs = CALL_TIMEOUT_MS): Promise<ExecutedResult> {
    this.#answers ??= import("./answer-call.ts").then(({ createCallAnswers }) =>
      createCallAnswers(this.#registry, this.#ports, () => this.schemas()),
    );
    return (await this.#answers)(call, context, timeoutMs);
  }
}
