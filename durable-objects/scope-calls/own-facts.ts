// Facts about a person that the scope keeps for the whole server: read once for each of the person's turns, added and deleted by
// the tools. A channel asks for them only if the scope's note says that this person has some.
import type { OwnFact } from "../../src/core/access/person-rpc.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import type { OwnFacts } from "../../src/toolkit/define/tool-services.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { askScope, countedIn } from "./ask-scope.ts";

/** How long a turn waits for the facts before it runs without them. */
const READING_LIMIT_MS = 1500;

type FactPorts = Pick<ChannelPorts, "findScope" | "timers" | "log" | "store">;

/** Returns the facts of the turn's person; none if they don't come in time. Never rejects. */
export async function readOwnFacts(ports: FactPorts, request: TurnRequest, signal: AbortSignal): Promise<OwnFact[]> {
  const { userId } = request;
  if (!ports.store.scopeNote()?.withFacts?.includes(userId)) return [];
  const ask = (scope: ScopePort) => scope.person({ op: "facts", userId });
  const answer = await askScope(ports, countedIn(request), ask, signal, READING_LIMIT_MS);
  if (answer?.op === "facts") return answer.facts;
  if (answer) ports.log.error("a scope did not return a person's facts", { answer: answer.op });
  return [];
}

/** Builds the tools' service for one turn. Its methods never reject. */
export function createOwnFacts(ports: FactPorts, request: TurnRequest): OwnFacts {
  const { userId } = request;
  const guildId = countedIn(request);
  return {
    async add(text, origin) {
      const answer = await askScope(ports, guildId, (scope) => scope.person({ op: "remember", userId, text, origin }));
      if (answer?.op === "remembered") return { ok: true, number: answer.number };
      if (answer?.op !== "full") return null;
      const { limit, of } = answer;
      return { ok: false, limit, ...(of && { of }) };
    },
    async remove(number) {
      const answer = await askScope(ports, guildId, (scope) => scope.person({ op: "forget_fact", userId, number }));
      return answer?.op === "fact_forgotten" ? answer.wasKept : null;
    },
  };
}
