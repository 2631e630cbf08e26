// Deaths on purpose. A fault plan counts the points that an object's life passes (each write about to be committed, both sides of
// each await of a port) and ends the life at the chosen points with `ctx.abort()`: nothing of the same tick is stored, and no
// catch or finally runs. A real death works this way; a throw would not.

/** The points at which a run dies: the n-th point of the first life, then the n-th of the next, counted from 1. */
export interface FaultPlan {
  deaths: readonly number[];
  /** How many deaths happened. */
  died: number;
  /** Names of the points passed since the last death, in order. */
  passed: string[];
  /** The points of each life that ended by the plan. */
  ended: string[][];
  /** Whether a life has ended and no alarm has run since. A plain flag, because the test must not share a promise with the object. */
  isDead: boolean;
}

/** Makes a plan with deaths at these points. */
export const planDeaths = (...deaths: number[]): FaultPlan => ({
  deaths,
  died: 0,
  passed: [],
  ended: [],
  isDead: false,
});

/** Passes one point. May never return. */
export type Point = (name: string) => void;

/** Ends a life at once. The runtime logs such deaths at length unless the reason begins with these two words. */
export function endLife(life: { abort(reason: string): void }, why: string): void {
  life.abort(`Instance dispose: ${why}`);
}

/** The points of one life of the object. */
export function readPoints(plan: FaultPlan, life: { abort(reason: string): void }): Point {
  return (name) => {
    plan.passed.push(name);
    if (plan.passed.length !== plan.deaths[plan.died]) return;
    plan.died++;
    plan.ended.push(plan.passed);
    plan.passed = [];
    plan.isDead = true;
    endLife(life, `death at ${name}`);
  };
}
