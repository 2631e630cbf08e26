// What can be limited, and a limit that was reached. Types only.

/** What can be limited. `microUsd`: money, in micro-dollars. */
export type BudgetUnit = "turns" | "tokens" | "microUsd";

/** A limit that was reached. Scopes count those of a server and of the whole deployment. */
export interface SpentBudget {
  of: "user" | "channel" | "server" | "deployment";
  unit: BudgetUnit;
  /** Missing: a day. */
  per?: "month";
  limit: number;
  /** It is not used up yet: running answers were lent the rest of it and may give it back. */
  isHeld?: true;
  /** A turn counts for the day on which it began, and that day's or month's limit has reset since then. */
  hasReset?: true;
  /** When it resets; epoch milliseconds. */
  resetsAt: number;
}
