// Faults on purpose: which call of a port breaks in a run, and how. A plan counts the calls that a channel makes of its ports, in
// order, and breaks the chosen ones. What a broken call should do may have happened all the same, because an answer can be lost.

/** What the object calls outside itself. `event` is one piece of a model's stream. */
export type PortName =
  | "write"
  | "read"
  | "setAlarm"
  | "discord"
  | "model"
  | "event"
  | "tool"
  | "mcp"
  | "file"
  | "scope";

/**
 * `throws`: at once, nothing was done. `rejects`: done, but the answer is lost. `never`: nothing is done, nothing ever answers,
 * and the signal is ignored. `late`: done, and answered after the turn's deadline. `garbage`: an answer of the wrong shape.
 * `huge`: 10 MiB. `large`: 3 MiB, well formed. `twice`: the answer comes twice. `hour` and `minute`: the call is answered, but
 * before it the clock jumps an hour ahead or a minute back.
 */
export type FaultKind =
  | "throws"
  | "rejects"
  | "never"
  | "late"
  | "garbage"
  | "huge"
  | "large"
  | "twice"
  | "hour"
  | "minute";

const REQUEST: FaultKind[] = ["throws", "rejects", "never", "late", "garbage", "huge", "hour", "minute"];

/** What can go wrong with a call of each port. Storage is synchronous: it works or throws. */
export const FAULTS_OF: Record<PortName, readonly FaultKind[]> = {
  write: ["throws", "hour", "minute"],
  read: ["throws"],
  setAlarm: ["throws", "rejects", "never"],
  discord: REQUEST,
  model: REQUEST,
  event: ["rejects", "never", "late", "garbage", "huge", "twice", "hour", "minute"],
  tool: [...REQUEST, "twice"],
  mcp: [...REQUEST, "large"],
  file: REQUEST,
  scope: ["throws", "rejects", "never", "late", "garbage", "hour", "minute"],
};

/** Whether the fault lasts: whatever waits for this call waits long. */
export const isLasting = (kind: FaultKind): boolean => kind === "never" || kind === "late";

/** A mark in every error that a fault throws. */
export const MARK = "fault on purpose";

/** One call of a port, as the plan counted it. */
export interface PortCall {
  port: PortName;
  name: string;
}

/** The calls of a run that break. */
export interface FaultPlan {
  /** By the number of the call, counted from 1. */
  faults: ReadonlyMap<number, FaultKind>;
  calls: PortCall[];
  /** Faults that happened, in order. */
  hit: (PortCall & { kind: FaultKind })[];
  /** Once true, nothing is counted and nothing breaks any more. */
  isOver: boolean;
}

/** Makes a plan with these faults. */
export const planFaults = (...faults: (readonly [number, FaultKind])[]): FaultPlan => ({
  faults: new Map(faults),
  calls: [],
  hit: [],
  isOver: false,
});

/** Counts one call. Returns how it breaks, if it does. */
export function passCall(plan: FaultPlan, port: PortName, name: string): FaultKind | null {
  if (plan.isOver) return null;
  plan.calls.push({ port, name });
  const kind = plan.faults.get(plan.calls.length);
  if (!kind || !FAULTS_OF[port].includes(kind)) return null;
  plan.hit.push({ port, name, kind });
  return kind;
}

/** Lists every fault of every call. Of a story's stream events, only the first gets the fault `huge`, because it takes seconds. */
export function listSingles(calls: readonly PortCall[]): (readonly [number, FaultKind])[] {
  const firstEvent = calls.findIndex(({ port }) => port === "event");
  return calls.flatMap(({ port }, index) =>
    FAULTS_OF[port]
      .filter((kind) => port !== "event" || kind !== "huge" || index === firstEvent)
      .map((kind) => [index + 1, kind] as const),
  );
}

/** Makes random numbers that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
