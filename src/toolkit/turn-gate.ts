// The usual gate of a turn: categories and the loop detector over a state that is plain JSON. Whoever runs the turn keeps the state
// where it survives, and may put an allowlist of its own before it.
import { canonicalJson } from "../core/canonical.ts";
import { judgeRepetition, type PastCall } from "../core/loop-detector.ts";
import type { CallGate, CheckedCall, GateVerdict } from "./ports.ts";
import type { ToolCategory } from "./tool.ts";
import type { ToolResult } from "./tool-result.ts";
import { outOfOrder } from "./turn-order.ts";

/** What the gate knows of the turn. */
export interface GateState {
  batch: ToolCategory[];
  turn: ToolCategory[];
  /** The equal calls at the turn's end; earlier ones can't be part of a loop any more. */
  past: PastCall[];
}

/** The state of a turn in which nothing was called. */
export const freshGateState = (): GateState => ({ batch: [], turn: [], past: [] });

/** The state at the beginning of the next answer's calls. */
export const nextBatch = (state: GateState): GateState => ({ ...state, batch: [] });

const LOOPING = "the same call gave the same result twice in a row; use that result, or do something else";
const STUCK = "the same call was made six times in a row; the turn is over";

/** Decides over a call; the new state replaces the old one at once. */
export function decideCall(state: GateState, call: CheckedCall): { state: GateState; verdict: GateVerdict } {
  const { category } = call.tool;
  const disorder = outOfOrder(category, state);
  if (disorder !== null) return { state, verdict: { allowed: false, status: "blocked", error: disorder } };
  const repetition = judgeRepetition(state.past, call.fingerprint);
  if (repetition === "run") return { state, verdict: { allowed: true } };
  const refusal = repetition === "end" ? { error: STUCK, endTurn: true } : { error: LOOPING };
  return {
    state: { ...state, past: [...state.past, { fingerprint: call.fingerprint, result: "", refused: true }] },
    verdict: { allowed: false, status: "blocked", ...refusal },
  };
}

/** The state after an allowed call has its result. A call that waits for approval or never ran uses up nothing. */
export function afterCall(state: GateState, call: CheckedCall, result: ToolResult): GateState {
  if (NEVER_RAN.has(result.status)) return state;
  const { ok, status, data, error } = result;
  const { category } = call.tool;
  const past = {
    fingerprint: call.fingerprint,
    result: canonicalJson(JSON.stringify({ ok, status, data, error })),
    refused: false,
  };
  const isSame = state.past.every((one) => one.fingerprint === past.fingerprint && one.result === past.result);
  return {
    batch: [...state.batch, category],
    turn: [...state.turn, category],
    past: isSame ? [...state.past, past] : [past],
  };
}

const NEVER_RAN: ReadonlySet<ToolResult["status"]> = new Set(["needs_approval", "denied", "conflict"]);

/** A gate over a state that is read and written through the two functions. */
export function createTurnGate(read: () => GateState, write: (state: GateState) => void): CallGate {
  return {
    decide(call) {
      const { state, verdict } = decideCall(read(), call);
      write(state);
      return verdict;
    },
    settled: (call, result) => write(afterCall(read(), call, result)),
  };
}
