// What can be limited, and a limit that is reached. Types only.

/** What can be limited. `microUsd`: money, in micro-dollars. */
export type BudgetUnit = "turns" | "tokens" | "microUsd";

/** A limit that is reached. Those of a server and of the whole deployment are counted by their scopes. */
export interface SpentBudget {
  of: "user" | "channel" | "server" | "deployment";
  unit: BudgetUnit;
  /** Missing: a day. */
  per?: "month";
  limit: number;
  /** It is not used up yet: other answers that run now hold what is left of it, and may give it back. */
  isHeld?: true;
  /** A turn is counted for the day on which it began, and that day's limit, or its month's, has reset meanwhile. */
  hasReset?: true;
  /** When it resets; epoch milliseconds. */
  resetsAt: number;
}
