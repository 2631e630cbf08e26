// Fixtures as the inspector's pages get them: a finished turn with everything that can happen, a private one, a running one, a channel and the
// home page. `fakeReader` answers with them.
import { NO_USAGE, type UsageSum } from "../../src/core/money/report.ts";
import type {
  ChannelPulse,
  InspectedChannel,
  InspectedModelCall,
  InspectedToolCall,
  InspectedTurn,
  InspectedTurnLine,
  PlaceNames,
} from "../../src/core/state/inspected.ts";
import type { InspectedHome, InspectReader } from "../../src/inspector/reader.ts";

/** The present of the fixtures: 2026-11-22 16:00 UTC. */
export const NOW = Date.UTC(2026, 10, 22, 16);
export const CHANNEL = "1300000000000000011";
export const GUILD = "1300000000000000002";
export const TURN = "1400000000000000001";
const ASKED = NOW - 90_000;

const line: InspectedTurnLine = {
  turnId: TURN,
  channelId: CHANNEL,
  guildId: GUILD,
  userId: "1300000000000000021",
  userName: "Mira",
  question: "How many parrots nest in the old lighthouse, and how far is it from the harbour in nautical miles?",
  isPrivate: false,
  isReminder: false,
  state: "finished",
  status: "completed",
  reason: null,
  model: "gpt-5-mini",
  createdAt: ASKED,
  startedAt: ASKED + 4200,
  endedAt: ASKED + 61_000,
  usage: { inputTokens: 9480, outputTokens: 812, modelCalls: 2, cachedInputTokens: 5120, microUsd: 4210 },
  toolCalls: 2,
  takeovers: 1,
};

const contents = (fromSeq: number, tokens: number) => {
  const counts = { leftOutRows: 14, notesChars: 320, overheardLines: 6, tools: 12 };
  return { ...counts, fromSeq, hasSummary: true, estimatedTokens: tokens };
};

const modelCalls: InspectedModelCall[] = [
  {
    ...{ at: ASKED + 4300, ms: 9100, model: "gpt-5-mini", firstMs: 6800, outcome: "called_tools", seq: 44 },
    usage: { inputTokens: 2300, outputTokens: 90, cachedInputTokens: 0, costMicroUsd: 755 },
    retries: [{ at: ASKED + 5200, waitMs: 2400, reason: "rate_limited" }],
    contents: contents(40, 2280),
  },
  {
    ...{ at: ASKED + 31_000, ms: 5200, model: "gpt-5-mini", firstMs: null, outcome: "failed", seq: null },
    ...{ reason: "network", usage: null, retries: [], contents: contents(40, 3400) },
  },
  {
    ...{ at: ASKED + 37_000, ms: 23_000, model: "gpt-5", firstMs: 3100, outcome: "answered", seq: 45 },
    usage: { inputTokens: 7180, outputTokens: 722, cachedInputTokens: 5120, costMicroUsd: 3455 },
    ...{ retries: [], contents: contents(40, 7100) },
  },
];

const toolCallList: InspectedToolCall[] = [
  {
    ...{ at: ASKED + 13_500, ms: 15_200, tool: "web_search", status: "ok", attempts: 2, isCached: false },
    retries: [{ error: "the server answered with status 503", ms: 4100, waitMs: 2000 }],
    ...{
      arguments: '{"query":"parrots lighthouse"}',
      result: '{"hits":[{"title":"Lanternfall","url":"https://example.org/"}]}',
    },
    ...{ argumentBytes: 30, resultBytes: 61, messageSeq: 44, position: 0 },
  },
  {
    ...{ at: ASKED + 13_500, ms: 420, tool: "convert_units", status: "invalid_input", attempts: 1, isCached: false },
    ...{ retries: [], arguments: '{"from":"mile","to":"parrot"}', result: '{"error":"to: there is no such unit"}' },
    ...{ argumentBytes: 29, resultBytes: 38, messageSeq: 44, position: 1 },
  },
];

/** A finished turn with everything: a queue, a retry, tools, a takeover, a failed model, an approval, waits for a limit. */
export const finishedTurn: InspectedTurn = {
  ...line,
  ...{ now: NOW, deliveredAt: ASKED + 61_900, isTainted: true, modelCalls, toolCallList },
  waits: [
    { kind: "queue", at: ASKED, ms: 4200 },
    { kind: "approval", at: ASKED + 28_800, ms: 1500 },
  ],
  requests: [
    { at: ASKED + 13_400, ms: 180, method: "edit", status: 200, waitMs: 0 },
    { at: ASKED + 29_000, ms: 240, method: "edit", status: 500, waitMs: 0 },
    ...Array.from({ length: 12 }, (_, index) => ({
      ...{ at: ASKED + 41_000 + index * 1600, ms: 140 + index * 9, method: "edit" as const, status: 200 },
      waitMs: index % 4 === 3 ? 900 : 0,
    })),
    { at: ASKED + 61_200, ms: 700, method: "create", status: 200, waitMs: 0 },
  ],
  requestsLeftOut: 7,
  events: [
    { at: ASKED, what: "admitted", detail: "queued" },
    { at: ASKED + 4200, what: "started" },
    { at: ASKED + 7700, what: "retry", detail: "gpt-5-mini, rate_limited, after 2400 ms", forModerators: "status 429" },
    { at: ASKED + 30_800, what: "resumed", detail: "tools" },
    { at: ASKED + 61_900, what: "delivered", detail: "all of it" },
  ],
  rows: [
    row(40, "user", "What is the old lighthouse called?", "Theo", "1400000000000000000"),
    row(41, "assistant", "It is called Lanternfall.", null, "1400000000000000000"),
    row(43, "user", line.question ?? "", "Mira"),
    { ...row(44, "assistant", "", null), calls: ["web_search", "convert_units"] },
    row(45, "assistant", "Eleven pairs nest there. It is 2.3 nautical miles from the harbour.", null),
  ],
  thoughts: "I should look for the lighthouse first, then convert the distance.",
  messages: [
    { id: "1500000000000000001", isSent: true },
    { id: "1500000000000000002", isSent: true },
    { id: null, isSent: false },
  ],
};

function row(seq: number, role: "user" | "assistant", text: string, speaker: string | null, turnId = TURN) {
  return { seq, turnId, role, speaker, text, chars: text.length, calls: [] as string[] };
}

/** The same turn if only its asker saw the answer: no words. */
export const privateTurn: InspectedTurn = {
  ...finishedTurn,
  ...{ isPrivate: true, userName: null, question: null, thoughts: null, rows: [] },
  toolCallList: toolCallList.map((call) => ({ ...call, arguments: null, result: null })),
};

/** A turn that still runs: its second model call has begun. */
export const runningTurn: InspectedTurn = {
  ...finishedTurn,
  ...{ turnId: "1400000000000000002", state: "running", status: null, endedAt: null, deliveredAt: null },
  usage: { inputTokens: 2300, outputTokens: 90, modelCalls: 1, microUsd: 755 },
  ...{ now: ASKED + 34_000, thoughts: null, takeovers: 0, events: [], messages: [{ id: null, isSent: false }] },
  modelCalls: modelCalls.slice(0, 2).map((call, at) => (at === 0 ? call : { ...call, ms: null, outcome: null })),
  waits: finishedTurn.waits.slice(0, 1),
  requests: finishedTurn.requests.slice(0, 1),
};

const STATUSES = ["completed", "completed", "error", "stopped_by_user", "timeout", "follow_up_interrupt"] as const;

/** Turns of a channel, newest first. */
export const turnLines: InspectedTurnLine[] = [
  { ...line, ...pickLine(runningTurn) },
  line,
  { ...line, turnId: "1400000000000000009", isPrivate: true, question: null, userName: null, takeovers: 0 },
  ...Array.from({ length: 12 }, (_, index) => ({
    ...line,
    turnId: String(1399000000000000000n - BigInt(index)),
    ...{ question: questions()[index % 4] ?? "", status: STATUSES[index % 6] ?? null, isReminder: index === 4 },
    ...{ reason: index % 6 === 2 ? "rate_limited" : null, userName: index % 3 === 0 ? "Theo" : "Mira", takeovers: 0 },
    ...{ createdAt: ASKED - (index + 1) * 1_700_000, startedAt: ASKED - (index + 1) * 1_700_000 },
    endedAt: ASKED - (index + 1) * 1_700_000 + 2300 + index * 4100,
  })),
];

function questions(): string[] {
  return [
    "What time is it in Reykjavík?",
    "Summarise the plan for Saturday.",
    "show me code",
    "こんにちは、元気ですか？🦜",
  ];
}

function pickLine({ turnId, state, status, endedAt, takeovers }: InspectedTurn) {
  return { turnId, state, status, endedAt, takeovers };
}

/** A channel that is a thread, with a running turn. */
export const channelInfo: InspectedChannel = {
  ...{ now: NOW, channelId: CHANNEL, parentId: "1300000000000000010", guildId: GUILD },
  running: turnLines[0] ?? line,
  ...{ queued: 2, parked: 1, memories: 7, summarizedMessages: 130 },
  settings: [
    { key: "model", value: "quick", source: "this server" },
    { key: "follow_up", value: "interrupt", source: "the default" },
    { key: "channel_tokens_per_day", value: "0", source: "the default" },
    { key: "system_prompt", value: "Answer like a lighthouse keeper, briefly.", source: "this channel" },
  ],
  reminders: [
    { number: 3, userId: line.userId, dueAt: NOW + 3_600_000, isRecurring: false, isPaused: false },
    { number: 4, userId: line.userId, dueAt: NOW + 86_400_000, isRecurring: true, isPaused: false },
    { number: 5, userId: line.userId, dueAt: NOW + 86_400_000, isRecurring: true, isPaused: true },
  ],
};

const sum = (turns: number): UsageSum => ({
  ...NO_USAGE,
  ...{
    turns,
    inputTokens: turns * 5200,
    cachedTokens: turns * 2000,
    outputTokens: turns * 410,
    microUsd: turns * 3100,
  },
});

const pulse = (channelId: string, changes: Partial<ChannelPulse> = {}): ChannelPulse => ({
  ...{ channelId, guildId: GUILD, running: null, queued: 0, lastTurnAt: NOW - 600_000, newThreads: [], failures: [] },
  ...changes,
});

/** A deployment with two servers, direct messages, a running turn, a queue and failures. */
export const home: InspectedHome = {
  now: NOW,
  gateway: "connected",
  days: Array.from({ length: 26 }, (_, index) => ({
    day: new Date(NOW - (25 - index) * 86_400_000).toISOString().slice(0, 10),
    sum: sum([12, 31, 7, 44, 52, 3, 0, 19][index % 8] ?? 0),
  })),
  servers: [
    {
      ...{ guildId: GUILD, sum: sum(412), channelsLeftOut: 0, isListed: true },
      channels: [
        {
          ...{ channel: CHANNEL, lastDay: "2026-11-22", sum: sum(210) },
          pulse: pulse(CHANNEL, {
            ...{ running: turnLines[0] ?? null, queued: 2 },
            failures: [
              { reason: "rate_limited", count: 4 },
              { reason: "timeout", count: 1 },
            ],
          }),
        },
        { channel: "1300000000000000012", lastDay: "2026-11-22", sum: sum(120), pulse: pulse("1300000000000000012") },
        { channel: "1300000000000000013", lastDay: "2026-11-19", sum: sum(9), pulse: null },
      ],
    },
    {
      ...{ guildId: null, sum: sum(40), channelsLeftOut: 3, isListed: true },
      channels: [
        {
          ...{ channel: "1300000000000000014:1300000000000000021", lastDay: "2026-11-21", sum: sum(40) },
          pulse: pulse("1300000000000000014", { guildId: null, queued: 1 }),
        },
      ],
    },
  ],
  serversLeftOut: 2,
  channelsNotAsked: 1,
};

/** The names of the server and its first channel. */
export const names: PlaceNames = { [GUILD]: "Harbour <Lounge>", [CHANNEL]: "general" };

/** Answers with the fixtures, except for the given answers, and records what it was asked. */
export function fakeReader(changes: Partial<InspectReader> = {}): InspectReader & { asked: string[] } {
  const asked: string[] = [];
  const noted = <Args extends unknown[], Value>(name: string, answer: (...args: Args) => Value) => {
    return async (...args: Args): Promise<Value> => {
      asked.push([name, ...args.map((one) => JSON.stringify(one))].join(" "));
      return answer(...args);
    };
  };
  const turns = [finishedTurn, runningTurn];
  return {
    asked,
    channel: noted("channel", (_: string) => channelInfo),
    turns: noted("turns", (..._: Parameters<InspectReader["turns"]>) => ({ turns: turnLines, before: 1399 })),
    turn: noted("turn", (_: string, id: string) => turns.find(({ turnId }) => turnId === id) ?? null),
    watch: noted("watch", (..._: Parameters<InspectReader["watch"]>) => new Blob(["data: changed\n\n"]).stream()),
    home: noted("home", () => home),
    names: noted("names", (..._: Parameters<InspectReader["names"]>) => names),
    mayTry: noted("mayTry", (..._: Parameters<InspectReader["mayTry"]>) => true),
    ...changes,
  };
}
