// Limits across channels: decides how much of the remainder a scope lends to a turn, and which limit is used up. All channels together are
// never lent more than the limit. Pure.
import { type Allowance, type Amount, endOf } from "./lease.ts";
import type { BudgetUnit, SpentBudget } from "./limit.ts";

/** A limit, how much of it was reported as used, and how much other turns were lent. */
export interface ScopeLimit {
  of: "user" | "server" | "deployment";
  unit: BudgetUnit;
  per: "day" | "month";
  limit: number;
  used: number;
  held: number;
}

/** One turn gets this fraction (one in ten) of the remainder. */
const SHARE = 10;

/**
 * Decides about one turn that has spent `spent` so far and expects its next call to cost `estimate`. It gets a tenth of the remainder, at
 * least one call's worth, and never more than the remainder. `isNew`: the turn is not counted yet.
 */
export function decideLease(
  limits: readonly ScopeLimit[],
  { spent, estimate, isNew }: { spent: Amount; estimate: Amount; isNew: boolean },
  now: number,
): { ok: true; allowance: Allowance } | { ok: false; limit: SpentBudget } {
  const allowance: Allowance = { tokens: null, microUsd: null };
  for (const { of, unit, per, limit, used, held } of limits.filter(({ limit }) => limit > 0)) {
    if (unit === "turns" && !isNew) continue;
    const left = limit - used - held - (unit === "turns" ? 0 : spent[unit]);
    // A running turn counts as a turn for good, but it may give back part of the tokens and money that it was lent.
    const isHeld = unit !== "turns" && left + held > 0;
    const resetsAt = endOf(per, now);
    if (left <= 0)
      return {
        ok: false,
        limit: { of, unit, limit, ...(per === "month" && { per }), ...(isHeld && { isHeld }), resetsAt },
      };
    if (unit === "turns") continue;
    const granted = spent[unit] + Math.min(left, Math.max(Math.ceil(left / SHARE), estimate[unit]));
    allowance[unit] = Math.min(allowance[unit] ?? granted, granted);
  }
  return { ok: true, allowance };
}

/** Returns the allowance that stays within both. */
export function narrower(one: Allowance, other: Allowance): Allowance {
  const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
  return { tokens: least(one.tokens, other.tokens), microUsd: least(one.microUsd, other.microUsd) };
}
