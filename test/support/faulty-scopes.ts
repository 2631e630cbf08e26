// The scopes as a life of the object reaches them: each call counts as a call of a port, and may throw, never answer, answer late or wrongly.
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { MARK } from "../faults/plan.ts";
import type { FaultHarness } from "./fault-harness.ts";

/** Makes what the runtime would bind as SCOPE, for one life. */
export function faultyScopes(world: FaultHarness, isAlive: () => boolean): { getByName(name: string): ScopePort } {
  const faulty = <Answer>(method: string, work: () => Promise<Answer>): Promise<Answer> => {
    if (!isAlive()) return new Promise(() => {});
    const kind = world.pass("scope", method);
    if (kind === "throws") throw new Error(`${MARK}: ${method} was not sent`);
    if (kind === "never") return new Promise(() => {});
    const answered = async () => {
      const answer = await work();
      if (kind === "late") await world.sleep(world.limits.turnDeadlineMs + 30_000);
      if (kind === "rejects") throw new Error(`${MARK}: the answer to ${method} was lost`);
      if (!isAlive()) await new Promise(() => {});
      return kind === "garbage" ? ({ kind: "what" } as Answer) : answer;
    };
    return answered();
  };
  const scopes = world.scopes;
  return {
    getByName: (name) => ({
      ...scopes(name),
      lease: (request) => faulty("lease", () => scopes(name).lease(request)),
      mayTell: (userId, messageId) => faulty("mayTell", () => scopes(name).mayTell(userId, messageId)),
      person: (request) => faulty(`person ${request.op}`, () => scopes(name).person(request)),
      report: (reports) => faulty("report", () => scopes(name).report(reports)),
    }),
  };
}
