// What the switches of `switches.ts` call: which operators are broken now, and, while tests are recorded, where breaking one would have made a
// difference. It also ends endless loops.

/** What a recorded part of a run did. */
export interface Trail {
  /** One byte per site: `REACHED` or `DIFFERS` if it ran. */
  marks: Uint8Array;
  /** How often switches were called. */
  calls: number;
}

/** A site that ran and whose counterpart would have given the same result. */
export const REACHED = 1;
/** A site whose counterpart would have given a different result, or might have. */
export const DIFFERS = 2;

const BROKEN = 1;
const MET = 2;
/** One byte per site: `BROKEN`, and `MET` once it was called. */
let broken = new Uint8Array(0);
let marks: Uint8Array | null = null;
let calls = 0;
let limit = Number.POSITIVE_INFINITY;

/** Breaks these operators, or none. Code that calls switches more often than the limit is ended. */
export function breakOperators(sites: readonly number[], callLimit = Number.POSITIVE_INFINITY): void {
  broken = new Uint8Array(Math.max(0, ...sites.map((site) => site + 1)));
  for (const site of sites) broken[site] = BROKEN;
  calls = 0;
  limit = callLimit;
}

/** Whether this broken operator has run. */
export const wasMet = (site: number): boolean => broken[site] === MET;

/** Whether the limit of calls was exceeded. */
export const ranAway = (): boolean => calls > limit;

/** How often switches were called. */
export const askedSoFar = (): number => calls;

/** Starts to record. */
export function record(sites: number): void {
  marks = new Uint8Array(sites);
  calls = 0;
}

/** What was recorded since `record`. */
export function stopRecording(): Trail {
  const trail = { marks: marks ?? new Uint8Array(0), calls };
  marks = null;
  return trail;
}

/** Whether this operator is broken. */
function isBroken(site: number): boolean {
  if (++calls > limit) throw new Error("a loop without an end");
  if (!broken[site]) return false;
  broken[site] = MET;
  return true;
}

const mark = (site: number, differs: () => boolean): void => {
  if (marks && marks[site] !== DIFFERS) marks[site] = differs() ? DIFFERS : REACHED;
};

/** Two operands, to which both operators apply without side effects. The program has types other than numbers here, too. */
const binary =
  (usual: (a: number, b: number) => unknown, instead: (a: number, b: number) => unknown) =>
  (site: number, a: number, b: number): unknown => {
    if (isBroken(site)) return instead(a, b);
    const value = usual(a, b);
    if (marks)
      mark(site, () => {
        try {
          return !Object.is(instead(a, b), value);
        } catch {
          return true;
        }
      });
    return value;
  };

/** Whether the right operand is needed; the left one is kept for the other case. */
const logical =
  (usual: (a: unknown) => boolean, instead: (a: unknown) => boolean) =>
  (site: number, a: unknown): boolean => {
    const chosen = isBroken(site) ? instead : usual;
    SWITCHES.left = a;
    if (marks) mark(site, () => usual(a) !== instead(a));
    return chosen(a);
  };

/** An operator whose results can't be compared. */
const is = (site: number): boolean => {
  if (marks) mark(site, () => true);
  return isBroken(site);
};

const isTrue = (a: unknown) => Boolean(a);
const isFalse = (a: unknown) => !a;
const isMissing = (a: unknown) => a === undefined || a === null;

const less = (a: number, b: number) => a < b;
const atMost = (a: number, b: number) => a <= b;
const more = (a: number, b: number) => a > b;
const atLeast = (a: number, b: number) => a >= b;
const same = (a: number, b: number) => a === b;
const other = (a: number, b: number) => a !== b;
const sum = (a: number, b: number) => a + b;
const difference = (a: number, b: number) => a - b;
const product = (a: number, b: number) => a * b;
const quotient = (a: number, b: number) => a / b;
const remainder = (a: number, b: number) => a % b;

/** What the rewritten files know as `__m`. */
export const SWITCHES = {
  left: undefined as unknown,
  is,
  not: (site: number, a: unknown): unknown => (is(site) ? a : !a),
  lt: binary(less, atMost),
  le: binary(atMost, less),
  gt: binary(more, atLeast),
  ge: binary(atLeast, more),
  same: binary(same, other),
  other: binary(other, same),
  plus: binary(sum, difference),
  minus: binary(difference, sum),
  times: binary(product, quotient),
  by: binary(quotient, product),
  rest: binary(remainder, product),
  and: logical(isTrue, isFalse),
  or: logical(isFalse, isTrue),
  instead: logical(isMissing, isTrue),
};
