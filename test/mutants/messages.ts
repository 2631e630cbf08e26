// The messages between a player and its parent.

/** How a test ended. */
export type Ending = "passed" | "failed" | "hangs";

/** A test as it was recorded. */
export interface TestRecord {
  name: string;
  /** How long it takes, and how often it calls switches. */
  ms: number;
  calls: number;
  ended: Ending;
  /** How it ended the second time. */
  again: Ending;
  /** The sites where a broken operator gives a different result, as bits. */
  differs: string;
}

/** A test file as it was recorded. */
export interface Recorded {
  file: string;
  tests: TestRecord[];
  /** The sites that ran while it was loaded, or only the first time; as bits. */
  once: string;
  /** All sites that ran; as bits. */
  reached: string;
}

/** One test to run. */
export interface TestToRun {
  file: string;
  index: number;
  ms: number;
  calls: number;
}

/** Runs these tests until one notices that this operator is broken. `fresh`: it is broken before anything is loaded. */
export interface Judge {
  type: "judge";
  site: number;
  tests: readonly TestToRun[];
  fresh: boolean;
}

/** Asks which of these operators this test notices. */
export interface JudgeGroup {
  type: "group";
  test: TestToRun;
  group: number[];
}

export type ToPlayer = { type: "record"; file: string } | Judge | JudgeGroup;

export type FromPlayer =
  | { type: "ready" }
  | { type: "at"; file: string; index: number; group?: number[] }
  | { type: "recorded"; recorded: Recorded }
  /** `order`: the index of the test that noticed, or null if none did. `isSure`: it fails only with the mutation, and every time. */
  | { type: "judged"; order: number | null; how: Ending; isSure: boolean }
  | { type: "grouped"; noticed: number[] }
  | { type: "broken"; message: string };
