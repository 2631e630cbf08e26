// Answers a person's requests about themselves: where they used the bot here, a file with everything that is kept of them, their wish to
// be left out, and their own facts.
import type { ExportedConversation, PersonAnswer, PersonRequest } from "../../src/core/access/person-rpc.ts";
import { exportText, summaryNote } from "../../src/core/copy/privacy.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import { MAX_LEFT_OUT, MAX_OWN_FACTS, MAX_PEOPLE_WITH_FACTS } from "./people-store.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { noteChange } from "./server-settings.ts";

/** How many channels are asked at the same time. */
const AT_ONCE = 20;
/** Keeps the file below the 10 MiB that Discord accepts. */
const MAX_EXPORT_CHARS = 3_000_000;
const FILE_NAME = "parley-export.json";
/** How many exports run at once. Each needs megabytes, in several forms at a time, and an object has 128 MB for everything. */
const MAX_EXPORTS = 2;

/** The exports that a life of a scope is making: person to the token of the interaction that asked. */
const underWay = new WeakMap<ScopePorts, Map<string, string>>();

/** Answers at once; the file of an export comes later, and only a few are made at a time. Repeating a request leaves the same state. */
export function answerPerson(ports: ScopePorts, request: PersonRequest): PersonAnswer {
  const { people, forgetting, clock, keepAlive } = ports;
  const { userId } = request;
  switch (request.op) {
    case "about": {
      const others = forgetting.channels(userId).filter((channel) => channel !== request.conversation);
      const isLeftOut = people.leftOut().includes(userId);
      return { op: "about", otherChannels: others.length, isLeftOut, facts: people.facts(userId) };
    }
    case "keeps":
      forgetting.noteUse(userId, request.conversation, utcDay(clock()));
      planAlarm(ports);
      return { op: "kept" };
    case "export": {
      const tokens = underWay.get(ports) ?? new Map<string, string>();
      underWay.set(ports, tokens);
      const { token } = request.reply;
      // The same interaction was sent again.
      if (tokens.get(userId) === token) return { op: "exporting" };
      if (tokens.has(userId) || tokens.size >= MAX_EXPORTS) return { op: "busy" };
      tokens.set(userId, token);
      keepAlive(sendExport(ports, userId, request).finally(() => tokens.delete(userId)));
      return { op: "exporting" };
    }
    case "leave_out": {
      if (!request.isLeftOut) people.takeIn(userId);
      else if (!people.leaveOut(userId, clock())) return { op: "full", limit: MAX_LEFT_OUT };
      noteChange(ports);
      return { op: "left_out", isLeftOut: request.isLeftOut };
    }
    case "facts":
      return { op: "facts", facts: people.facts(userId) };
    case "remember": {
      const number = people.remember(userId, { ...request, at: clock() });
      if (number === "own_full") return { op: "full", limit: MAX_OWN_FACTS };
      if (number === "people_full") return { op: "full", limit: MAX_PEOPLE_WITH_FACTS, of: "people" };
      noteChange(ports);
      return { op: "remembered", number };
    }
    case "forget_fact":
      return { op: "fact_forgotten", wasKept: people.forgetFact(userId, request.number) };
  }
}

/** Asks the channels, the last used first, until the file is full, then sends it. Never rejects. If this life ends before, nothing is sent. */
async function sendExport(
  ports: ScopePorts,
  userId: string,
  { conversation, reply }: Extract<PersonRequest, { op: "export" }>,
): Promise<void> {
  const { people, forgetting, clock } = ports;
  const channels = [...new Set([conversation, ...forgetting.channels(userId)])];
  const conversations: (ExportedConversation & { channel: string })[] = [];
  let unread = 0;
  let chars = 0;
  let asked = 0;
  for (; asked < channels.length && chars < MAX_EXPORT_CHARS; asked += AT_ONCE)
    for (const found of await Promise.all(
      channels.slice(asked, asked + AT_ONCE).map((one) => exportIn(ports, one, userId)),
    )) {
      const size = found ? JSON.stringify(found).length : 0;
      if (found === "unreachable" || chars + size > MAX_EXPORT_CHARS) unread++;
      else if (found) conversations.push(found);
      chars += size;
    }
  unread += Math.max(0, channels.length - asked);
  const facts = {
    exportedAt: new Date(clock()).toISOString(),
    userId,
    leftOutOfOverheard: people.leftOut().includes(userId),
    ownFacts: people
      .facts(userId)
      .map(({ number, text, at }) => ({ number, text, toldAt: new Date(at).toISOString() })),
  };
  const text = JSON.stringify({ ...facts, conversationsNotInThisFile: unread, conversations }, null, 1);
  await ports.sendExport(reply, exportText(conversations.length, unread), { name: FILE_NAME, text });
}

async function exportIn({ exportPersonIn, log }: ScopePorts, channelId: string, userId: string) {
  try {
    const found = await exportPersonIn(channelId, userId);
    if (!found?.summary) return found && { channel: channelId, ...found };
    const { summary } = found;
    return { channel: channelId, ...found, summary: { ...summary, note: summaryNote(summary.text === undefined) } };
  } catch (error) {
    log.error("a channel can't be exported", { channelId, error: String(error) });
    return "unreachable";
  }
}
