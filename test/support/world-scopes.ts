// Real scopes for one world of the workers and crash lanes. A world has a server and a deployment of its own: its channel's id is part of
// their objects' names. Each call that reaches one passes a point on both sides, in the life that calls.
import { env } from "cloudflare:workers";
import { DEPLOYMENT } from "../../src/core/access/scope-copy.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { FindScope, ScopePort } from "../../src/discord/answers/scope-port.ts";
import { openScopes } from "./scopes.ts";
import type { Life } from "./workerd-harness.ts";

/** The scopes of one world. */
export interface WorldScopes {
  /** The scope's object, by the product's name for it. A stub that threw can't be used again, so each call makes a new one. */
  stub(name: string): DurableObjectStub;
  /** The scopes as one life of another object reaches them. */
  seenFrom(life: Life): FindScope;
  /** The names of the scopes that were reached. */
  reached(): string[];
  /** Reports of turns in other channels. */
  elsewhere: TurnReport[];
  /** Who was forgotten in which other channel, in order. */
  forgotten: string[];
  /** The other channels as a life of a scope reaches them. */
  channelsFrom(
    life: Life,
  ): (channelId: string) => { wasUsedBefore(): Promise<boolean>; forgetPerson(userId: string): Promise<void> };
}

/** The id of the channel whose world a scope's object belongs to. */
export const channelOfScope = (name: string): string => name.slice(name.lastIndexOf(" ") + 1);

/** Opens them. What channels report is noted in `reports`. */
export function openWorldScopes(channelId: string, reports: TurnReport[]): WorldScopes {
  const names = new Set<string>();
  const forgotten: string[] = [];
  const stub = (name: string) => {
    names.add(name);
    return env.SCOPE.getByName(`${name} ${channelId}`);
  };
  return {
    stub,
    reached: () => [...names],
    elsewhere: [],
    forgotten,
    seenFrom: (life) => (name) => {
      const port = stub(name) as unknown as ScopePort;
      const pass = <Answer>(what: string, work: () => Promise<Answer>) => passed(life, what, work);
      return {
        ...openScopes()(name),
        copyFor: (guildId) => pass("a copy", () => port.copyFor(guildId)),
        lease: (request) => pass("a lease", () => port.lease(request)),
        report: (sent) =>
          pass("a report", () => {
            if (name !== DEPLOYMENT) reports.push(...sent);
            return port.report(sent);
          }),
      };
    },
    channelsFrom: (life) => (other) => ({
      wasUsedBefore: async () => false,
      forgetPerson: (userId) => passed(life, "forgetting", async () => void forgotten.push(`${userId} in ${other}`)),
    }),
  };
}

async function passed<Answer>(
  { settled, callPoint }: Life,
  what: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  await settled();
  callPoint(`before ${what}`);
  const answer = await work();
  callPoint(`after ${what}`);
  return answer;
}
