// Computes what happened in a turn as lanes of bars on one time axis, and the part of its usage that has no bar: for the page and the terminal.
import { modelOutcomes, turnText, waitKinds } from "../core/copy/inspected-turn.ts";
import type {
  InspectedModelCall,
  InspectedRequest,
  InspectedToolCall,
  InspectedTurn,
  Span,
} from "../core/state/inspected.ts";
import type { TurnEvent } from "../core/state/turn-events.ts";

/** How a bar looks. `first`: until the first word; `mark`: a moment. */
export type BarKind = "wait" | "first" | "work" | "fail" | "mark";

/** A bar from one time to another. */
export interface Bar {
  kind: BarKind;
  from: number;
  to: number;
}

/** What a lane's details are about. */
export type LaneSubject =
  | { of: "wait" }
  | { of: "model"; call: InspectedModelCall }
  | { of: "tool"; call: InspectedToolCall }
  | { of: "discord"; requests: readonly InspectedRequest[] }
  | { of: "event"; event: TurnEvent };

/** One lane. `ms`: how long it lasted; null while it still lasts. */
export interface Lane {
  /** Unique in the turn, and the same every time. */
  id: string;
  label: string;
  note: string;
  at: number;
  ms: number | null;
  bars: readonly Bar[];
  subject: LaneSubject;
}

/** All lanes, in the order in which they begin. */
export interface Waterfall {
  from: number;
  to: number;
  /** The times that the axis shows. */
  ticks: readonly number[];
  lanes: readonly Lane[];
  /** When a new life took the turn over, and when it was stopped. */
  takeovers: readonly number[];
  stops: readonly number[];
}

const TAKEOVERS: ReadonlySet<string> = new Set(["resumed", "taken away"]);
const STOPS: ReadonlySet<string> = new Set(["stop", "kill", "interrupted"]);
const ENDED_BADLY: ReadonlySet<string | null> = new Set(["failed", "timed_out", "cut_off", "empty"]);
/** The approximate number of times on the axis. */
const TICKS = 5;

/** Builds the waterfall of a turn. */
export function buildWaterfall(turn: InspectedTurn): Waterfall {
  const { createdAt, now, waits, modelCalls, toolCallList, requests, events } = turn;
  const known = [...waits, ...modelCalls, ...toolCallList, ...requests].map((span) => endOf(span, now));
  const to = Math.max(createdAt + 1, turn.endedAt ?? now, turn.deliveredAt ?? 0, ...known);
  const lanes: Lane[] = [
    ...waits.map((wait, index) => ({
      ...{ id: `wait-${index}`, label: waitKinds[wait.kind], note: "", at: wait.at, ms: wait.ms },
      bars: [{ kind: "wait" as const, from: wait.at, to: endOf(wait, now) }],
      subject: { of: "wait" as const },
    })),
    ...modelCalls.map((call, index) => modelLane(call, index, now)),
    ...toolCallList.map((call) => toolLane(call, now)),
    ...discordLane(requests, now),
    ...events.flatMap((event, index) => eventLane(event, index)),
  ];
  return {
    from: createdAt,
    to,
    ticks: ticksBetween(createdAt, to),
    lanes: lanes.toSorted((a, b) => a.at - b.at),
    takeovers: events.filter(({ what }) => TAKEOVERS.has(what)).map(({ at }) => at),
    stops: events.filter(({ what }) => STOPS.has(what)).map(({ at }) => at),
  };
}

/** Returns when a span ended, or `now` while it lasts. */
export const endOf = ({ at, ms }: Span, now: number): number => (ms === null ? Math.max(at, now) : at + ms);

function modelLane(call: InspectedModelCall, index: number, now: number): Lane {
  const { at, ms, model, firstMs, outcome, reason, retries = [] } = call;
  const end = endOf(call, now);
  // The time of the first word is only stored with the call's end.
  const first = firstMs === null ? (ms === null ? at : end) : at + firstMs;
  const kind: BarKind = ENDED_BADLY.has(outcome) ? "fail" : "work";
  const how = outcome === null ? "" : modelOutcomes[outcome];
  // A call may be stopped while it waits. In a terminal, bars cover each other, so a failed call is shown as its tries and the waits between them.
  const waits = retries.map(({ at: from, waitMs }) => {
    return { kind: "wait" as const, from, to: Math.min(end, from + waitMs) };
  });
  const tries = [at, ...waits.map(({ to }) => to)].map((from, nth) => ({ kind, from, to: waits[nth]?.from ?? end }));
  return {
    ...{ id: `model-${index}`, label: model, at, ms },
    note: [turnText.call(index + 1), reason ?? (kind === "fail" ? how : "")].filter((part) => part !== "").join(", "),
    bars:
      firstMs === null && kind === "fail"
        ? [...tries, ...waits]
        : [{ kind: "first", from: at, to: first }, { kind, from: first, to: end }, ...waits],
    subject: { of: "model", call },
  };
}

function toolLane(call: InspectedToolCall, now: number): Lane {
  const { at, ms, tool, status, isCached, retries, messageSeq, position } = call;
  const bars: Bar[] = [];
  let from = at;
  for (const retry of retries) {
    bars.push({ kind: "fail", from, to: from + retry.ms });
    bars.push({ kind: "wait", from: from + retry.ms, to: from + retry.ms + retry.waitMs });
    from += retry.ms + retry.waitMs;
  }
  const isGood = status === null || status === "ok";
  bars.push({ kind: isGood ? "work" : "fail", from, to: Math.max(from, endOf(call, now)) });
  const note = [isCached ? turnText.cached : "", isGood ? "" : (status ?? "")].filter((part) => part !== "").join(", ");
  const id = `tool-${messageSeq}-${position}`;
  return { id, label: tool, note, at, ms, bars, subject: { of: "tool", call } };
}

/** Builds one lane for all requests: a long answer has dozens of edits. */
function discordLane(requests: readonly InspectedRequest[], now: number): Lane[] {
  const [first] = requests;
  if (first === undefined) return [];
  const at = first.at - first.waitMs;
  return [
    {
      ...{ id: "discord", label: turnText.discord, note: turnText.requests(requests.length), at },
      ms: Math.max(...requests.map((request) => endOf(request, now))) - at,
      bars: requests.flatMap((request): Bar[] => {
        const bad = request.status === null ? request.ms !== null : request.status >= 400;
        return [
          ...(request.waitMs > 0 ? [{ kind: "wait" as const, from: request.at - request.waitMs, to: request.at }] : []),
          { kind: bad ? "fail" : "work", from: request.at, to: endOf(request, now) },
        ];
      }),
      subject: { of: "discord", requests },
    },
  ];
}

function eventLane(event: TurnEvent, index: number): Lane[] {
  const isTakeover = TAKEOVERS.has(event.what);
  if (!isTakeover && !STOPS.has(event.what)) return [];
  const label = isTakeover ? turnText.takeover : turnText.stopped;
  const bars = [{ kind: "mark" as const, from: event.at, to: event.at }];
  const note = event.detail ?? "";
  return [{ id: `event-${index}`, label, note, at: event.at, ms: 0, bars, subject: { of: "event", event } }];
}

/** Returns times in round steps of 1, 2 or 5; above a minute, in steps of whole minutes. */
function ticksBetween(from: number, to: number): number[] {
  const rough = (to - from) / TICKS;
  const unit = rough >= 60_000 ? 60_000 : 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough / unit)));
  const step = unit * power * ([1, 2, 5, 10].find((one) => one * power * unit >= rough) ?? 10);
  const count = Math.floor((to - from) / step);
  return Array.from({ length: count + 1 }, (_, index) => from + index * step);
}

/**
 * Returns the part of a turn's usage that its listed model calls don't explain: calls whose entries the timeline has dropped or, if there are
 * none, the cost of pictures and sounds (micro-dollars).
 */
export function beyondCalls({ usage, modelCalls }: Pick<InspectedTurn, "usage" | "modelCalls">) {
  // A call without usage is not counted; but one that was cut off has no usage in the rows of an older program, and is counted.
  const counted = modelCalls.filter((call) => call.usage !== null || call.outcome === "cut_off");
  const calls = Math.max(0, usage.modelCalls - counted.length);
  const known = counted.reduce((sum, call) => sum + (call.usage?.costMicroUsd ?? 0), 0);
  const isWhole = calls === 0 && counted.every((call) => call.usage !== null);
  return { calls, microUsd: isWhole ? Math.max(0, (usage.microUsd ?? 0) - known) : 0 };
}
