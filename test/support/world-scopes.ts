// Real scopes for one world of the workers and crash lanes. A world has a server and a deployment of its own: its channel's id is part of
// their objects' names. Each call that reaches a scope passes a fault point on both sides, in the life that calls.
import { env } from "cloudflare:workers";
import type { ExportedConversation } from "../../src/core/access/person-rpc.ts";
import { DEPLOYMENT, type ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import type { FindScope, ScopePort } from "../../src/discord/answers/scope-port.ts";
import { openScopes } from "./scopes.ts";
import type { Life } from "./workerd-harness.ts";

const POLL_MS = 2;

/** The scopes of one world. */
export interface WorldScopes {
  /** The scope's object, by the product's name for it. A stub that threw can't be used again, so each call makes a new stub. */
  stub(name: string): DurableObjectStub;
  /** The scopes as one life of another object reaches them. */
  seenFrom(life: Life): FindScope;
  /** The names of the scopes that have been reached. */
  reached(): string[];
  /** Reports of turns in other channels. */
  elsewhere: TurnReport[];
  /** Who was forgotten in which other channel, in order. */
  forgotten: string[];
  /** Whether scopes get the deployment's copy only once a turn is reported; until then, whoever asks for a lease waits. */
  slow: { isOn: boolean; waiting: number };
  /** The channels as a life of a scope reaches them: this world's own, and others that only record the calls. */
  channelsFrom(life: Life): (channelId: string) => ReachedChannel;
}

/** A channel as a scope sees it. */
interface ReachedChannel {
  wasUsedBefore(): Promise<boolean>;
  forgetPerson(userId: string): Promise<void>;
  exportPerson(userId: string): Promise<ExportedConversation | null>;
}

/** What another channel keeps about anyone who had a turn there. */
const keptIn = (channelId: string): ExportedConversation => ({
  questions: [
    { askedAt: "2030-01-01T00:00:00.000Z", question: `said in ${channelId}`, answer: "", status: "completed" },
  ],
  memories: [],
  reminders: [],
  settings: {},
});

/** A scope of the tests' Worker also says, without a fault point, whom its copies name: reads of the gate's copy are not fault points. */
export type ScopeUnderTest = ScopePort & { named(): Promise<Pick<ScopeCopy, "leftOut" | "withFacts">> };

/** Finds the id of the channel whose world a scope's object belongs to. */
export const channelOfScope = (name: string): string => name.slice(name.lastIndexOf(" ") + 1);

/** Opens them. What channels report is recorded in `reports`. */
export function openWorldScopes(channelId: string, reports: TurnReport[]): WorldScopes {
  const names = new Set<string>();
  const forgotten: string[] = [];
  const slow = { isOn: false, waiting: 0 };
  // Polls a plain flag, because a promise that another object resolves would belong to that object's event.
  const untilReported = async () => {
    slow.waiting++;
    while (slow.isOn && reports.length === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  };
  const stub = (name: string) => {
    names.add(name);
    return env.SCOPE.getByName(`${name} ${channelId}`);
  };
  return {
    stub,
    reached: () => [...names],
    elsewhere: [],
    forgotten,
    slow,
    seenFrom: (life) => (name) => {
      const port = stub(name) as unknown as ScopePort;
      const pass = <Answer>(what: string, work: () => Promise<Answer>) => passed(life, what, work);
      return {
        ...openScopes()(name),
        async copyFor(guildId) {
          if (slow.isOn) await untilReported();
          return pass("a copy", () => port.copyFor(guildId));
        },
        person: (request) => pass("a person's request", () => port.person(request)),
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
      exportPerson: (userId) =>
        passed(life, "an export", async () =>
          other === channelId
            ? (env.CHANNEL.getByName(channelId) as unknown as ChannelPort).exportPerson(userId)
            : keptIn(other),
        ),
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
