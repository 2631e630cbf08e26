// Deaths on purpose. A fault plan counts the points that an object's life passes (each write about to be committed, both
// sides of each await of a port) and ends the life at the chosen ones with `ctx.abort()`: nothing of the same tick is kept, no
// catch and no finally runs. That is what dying is; a throw would not be.

/** Which points a run dies at: the n-th point of the first life, then the n-th of the next, counted from 1. */
export interface FaultPlan {
  deaths: readonly number[];
  /** Deaths that happened. */
  died: number;
  /** Names of the points passed since the last death, in order. */
  passed: string[];
  /** A life has ended and its alarm was not run since; a plain flag, because the test may share no promise with the object. */
  isDead: boolean;
}

/** A plan that dies at these points. */
export const planDeaths = (...deaths: number[]): FaultPlan => ({ deaths, died: 0, passed: [], isDead: false });

/** Passes one point; may not return. */
export type Point = (name: string) => void;

/** Ends a life at once. The runtime would report it at length; it keeps quiet about deaths that begin with these two words. */
export function endLife(life: { abort(reason: string): void }, why: string): void {
  life.abort(`Instance dispose: ${why}`);
}

/** The points of one life of the object. */
export function readPoints(plan: FaultPlan, life: { abort(reason: string): void }): Point {
  return (name) => {
    plan.passed.push(name);
    if (plan.passed.length !== plan.deaths[plan.died]) return;
    plan.died++;
    plan.passed = [];
    plan.isDead = true;
    endLife(life, `death at ${name}`);
  };
}
