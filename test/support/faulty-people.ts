// What a server's scope knows about single people, for the fault sweep: the product's own answers over SQLite. Each of its calls to a channel
// or to Discord counts as a call of a port, and may throw, never answer, answer late or wrongly.
import { createScopePorts } from "../../durable-objects/scope/composition-root.ts";
import { answerPerson } from "../../durable-objects/scope/people.ts";
import type { ScopePorts } from "../../durable-objects/scope/scope-ports.ts";
import type { ExportedConversation, PersonAnswer, PersonRequest } from "../../src/core/access/person-rpc.ts";
import { type ScopeCopy, scopeName } from "../../src/core/access/scope-copy.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { type FaultKind, MARK, type PortName } from "../faults/plan.ts";
import { brokenAnswer } from "./broken-answers.ts";
import { nodeSqlite } from "./node-sqlite.ts";

/** What it needs of its world. */
export interface PeopleWorld {
  variables: object;
  pass(port: PortName, name: string): FaultKind | null;
  /** Waits on the world's clock. */
  sleep(ms: number): Promise<void>;
  after(ms: number, callback: () => void): () => void;
  discord: { fetch(request: Request): Promise<Response> };
  /** The object of the world's channel. */
  exportPerson(userId: string): Promise<ExportedConversation | null>;
  logError(line: string): void;
}

/** The people of one world. */
export interface FaultyPeople {
  answer(request: PersonRequest): PersonAnswer;
  /** Whom the scope's copies name. */
  named(): Pick<ScopeCopy, "leftOut" | "withFacts">;
  facts(userId: string): string[];
}

/** A late answer comes after every time limit. */
const LATE_MS = 600_000;
const NOON = Date.UTC(2030, 0, 1, 12);

/** Opens them in a server that nobody has used yet. */
export function openFaultyPeople(world: PeopleWorld): FaultyPeople {
  const faulty = async <Answer>(port: PortName, name: string, work: () => Promise<Answer>) => {
    const kind = world.pass(port, name);
    if (kind === "throws") throw new Error(`${MARK}: ${name} was not sent`);
    if (kind === "never") return new Promise<never>(() => {});
    const answer = await work();
    if (kind === "late") await world.sleep(LATE_MS);
    if (answer instanceof Response) return (await brokenAnswer(kind, answer, name)) as Answer;
    if (kind === "rejects") throw new Error(`${MARK}: the answer to ${name} was lost`);
    // A channel's object is our own program: its answer has the right shape, or there is none.
    return answer;
  };
  const channel = { exportPerson: (userId: string) => faulty("scope", "an export", () => world.exportPerson(userId)) };
  const database = nodeSqlite();
  const ports: ScopePorts = createScopePorts(
    {
      id: { name: scopeName(PLACES.guild), toString: () => "" },
      storage: { ...database, setAlarm: async () => {}, deleteAlarm: async () => {} },
      waitUntil: (work) => void work,
    },
    { ...world.variables, CHANNEL: { getByName: () => channel } },
    {
      fetch: (url, init) => {
        const request = new Request(url, init);
        return faulty("discord", `${request.method} a file`, () => world.discord.fetch(request));
      },
      clock: () => NOON,
      timers: { after: (ms, callback) => world.after(ms, callback) },
      random: () => 0.5,
      registry: createToolRegistry([]),
      createLog: () => ({
        info() {},
        warn() {},
        error: (line, detail) => world.logError(`${line} ${JSON.stringify(detail)}`),
      }),
    },
  );
  const { people } = ports;
  return {
    answer: (request) => answerPerson(ports, request),
    named: () => ({ leftOut: people.leftOut(), withFacts: people.withFacts() }),
    facts: (userId) => people.facts(userId).map(({ text }) => text),
  };
}
