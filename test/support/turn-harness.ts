// Harness: one turn. The real engine over the in-memory store, a model that follows a script (turn-script.ts), the real tool
// runtime, and a clock that the test moves. Records everything that leaves the engine in one ordered list, and checks every
// request against the provider's rules. Use it to test the turn itself: model attempts, tool loop, limits, endings.

// The product loads it when a tool is first called, which takes longer than the test's clock waits.
import "../../src/toolkit/run/answer-call.ts";
import { createTurnStore, type TurnSurroundings } from "../../durable-objects/turn/turn-store.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { takenOver } from "../../src/core/decisions/recovery.ts";
import { newTurn, type StopFlag, type TurnRecord, type TurnRequest } from "../../src/core/state/record.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { createResultCache } from "../../src/toolkit/run/cache.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import type { EndedTurn } from "../../src/turn/build-result.ts";
import { type ContextStash, createContextStash } from "../../src/turn/context-restart.ts";
import { runGenerationTurn, type TurnResult } from "../../src/turn/generation-turn.ts";
import type {
  AttachmentReader,
  Gate,
  Log,
  Model,
  ModelRequest,
  Reply,
  TurnAbort,
  TurnLimits,
} from "../../src/turn/ports.ts";
import type { CallRefusal } from "../../src/turn/turn-params.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { memoryStore } from "./memory-store.ts";
import { findTurnFaults, type Pass, speak } from "./turn-script.ts";

/** Where a test's time begins. */
export const BEGIN = Date.UTC(2030, 0, 1);

/** The status line of tools that start at that time. */
export const using = (tools: string): string => `-# Using \`${tools}\`, started <t:${BEGIN / 1000}:R> …`;

/** The steps of one model, and its other properties. */
export type ModelScript = Pass[] &
  Partial<Pick<Model, "endsTurnAfterText" | "contextTokens" | "toolMode" | "images" | "price">>;

/** How a turn differs from the default. */
export interface TurnOptions {
  /** The script of each model, one entry per step, in order, or a model of the test's own. A request beyond the script is a fault. */
  models?: (ModelScript | Model)[];
  tools?: readonly Tool[];
  limits?: Partial<TurnLimits>;
  gate?: Gate;
  surface?: boolean;
  request?: Partial<TurnRequest>;
  attachments?: AttachmentReader;
  /** Whether the person's words ask for this tool. By default they ask for none. */
  isAskedFor?: (toolName: string) => boolean;
  /** Gives the reason why a model call is refused. */
  refuseCall?: () => CallRefusal | null;
}

/** The turn, and the controls of its world. */
export interface TurnWorld {
  clock: TestClock;
  channel: ChannelStore;
  stash: ContextStash;
  /** What the engine did, in order: requests, writes, runs, shows, log lines. */
  events: string[];
  requests: ModelRequest[];
  /** What was logged as an error, in order, with its detail. */
  errors: object[];
  /** The provider's rules that requests broke, and requests beyond the script. */
  faults: string[];
  /** Starts the turn, or a new life of it. */
  begin(): void;
  /** How the current life's run ended; null while it runs. */
  result(): TurnResult | null;
  /** Runs the turn to its end within `ms`. Fails if it has not ended, a timer is left or a request was faulty. */
  end(ms?: number): Promise<EndedTurn>;
  /** Stores the request to end the turn, then aborts it. */
  stop(kind: StopFlag["kind"]): void;
  /** Fires the turn's signal. */
  abort(reason: TurnAbort): void;
  /** Lets Discord accept what was shown last. */
  accept(): void;
  /** Ends this life; the next `begin` finds what it stored. */
  die(): void;
  turn(): TurnRecord;
}

const TRIGGER: TurnRequest = {
  interactionId: "t1",
  token: "token",
  applicationId: "1",
  receivedAt: BEGIN,
  channelId: "c1",
  guildId: "g1",
  userId: "7",
  userName: "Theo",
  moderator: false,
  locale: "en-US",
  text: "go",
};

const NO_FILES: AttachmentReader = {
  imageUrl: () => null,
  readText: async () => ({ ok: false, reason: "unreachable" }),
};

/** Limits small enough to reach in a test. The times are as in production. */
export const LIMITS: TurnLimits = {
  maxIterations: 100,
  maxConsecutiveToolErrors: 5,
  firstTokenTimeoutMs: 300_000,
  streamTimeoutMs: 120_000,
  toolTimeoutMs: 300_000,
};

/** A channel in which nothing but this turn happens. */
const ALONE: TurnSurroundings = { onSteered() {}, approvers: () => [], withAsked: (turn) => turn };

/** Makes a turn that has its channel's lock and has not begun. */
export function createTurnHarness(options: TurnOptions = {}): TurnWorld {
  const clock = createTestClock(BEGIN);
  const channel = memoryStore();
  const stash = createContextStash(clock.now);
  const registry = createToolRegistry(options.tools ?? []);
  const request = { ...TRIGGER, ...options.request };
  const turnId = request.interactionId;
  const cache = createResultCache();
  const events: string[] = [];
  const requests: ModelRequest[] = [];
  const errors: object[] = [];
  const faults: string[] = [];
  const lives: { controller: AbortController; result: TurnResult | null }[] = [];
  const life = () => lives.at(-1);
  const models = (options.models ?? [[]]).map((model, index) =>
    "stream" in model ? model : scripted(model, index, { clock, events, requests, faults }),
  );
  const [first = scripted([], 0, { clock, events, requests, faults }), ...others] = models;
  const shown = { text: "", posted: "", onAccepted: null as (() => void) | null };
  channel.saveLock({ ...channel.lock(), turnId, startedAt: BEGIN });
  channel.insertTurn({ ...newTurn(request, "running", 0, BEGIN), startedAt: BEGIN });
  channel.addMessage({ turnId, role: "user", text: `Theo: ${request.text}`, details: "", calls: [], native: null });
  const turn = () => channel.turn(turnId) ?? newTurn(request, "running", 0, BEGIN);

  function begin() {
    const controller = new AbortController();
    const mine = { controller, result: null as TurnResult | null };
    const number = lives.push(mine);
    if (number > 1) events.push(`life ${number}`);
    const isAlive = () => life() === mine && !dead.has(number);
    const tell = (event: string) => void (isAlive() && events.push(event));
    const instance = `life ${number}`;
    const epoch = number;
    channel.saveLock({ ...channel.lock(), instance, epoch });
    const before = turn();
    const progress = channel.settledCalls(turnId);
    channel.saveTurn(number === 1 ? { ...before, instance, epoch } : takenOver(before, instance, epoch, progress));
    const store = reporting(createTurnStore(channel, { turnId, instance, epoch }, clock.now, ALONE), tell);
    const reply: Reply = {
      show({ text, line }) {
        tell(`show ${JSON.stringify(text)}${line === null ? "" : ` ${line}`}`);
        if (isAlive()) shown.text = text;
      },
      postedText: () => shown.posted,
      onAccepted(listener) {
        if (isAlive()) shown.onAccepted = listener;
      },
    };
    const params = {
      turnId,
      request,
      systemPrompt: "Be brief.",
      notes: "",
      overheard: "",
      models: [first, ...others] as const,
      store,
      reply,
      runtime: new ToolRuntime(registry, {
        ...clock.timers,
        clock: clock.now,
        // A real digest runs on another thread, for which no promise job waits.
        sha256: async (text) => text,
        cache,
        ledger: store.ledger,
        approvals: store.approvals,
        services: { stash: stash.put },
      }),
      gate: options.gate ?? { decide: () => ({ allowed: true }) as const },
      stash,
      attachments: options.attachments ?? NO_FILES,
      limits: { ...LIMITS, ...options.limits },
      signal: controller.signal,
      clock: clock.now,
      timers: clock.timers,
      random: () => 0.5,
      log: toldLog(tell, errors),
      shouldSurfaceUserErrors: options.surface ?? true,
      isAskedFor: options.isAskedFor ?? (() => false),
      refuseCall: async () => options.refuseCall?.() ?? null,
      onDue: () => tell("due"),
    };
    void runGenerationTurn(params).then((result) => {
      mine.result = result;
    });
  }
  const dead = new Set<number>();

  return {
    clock,
    channel,
    stash,
    events,
    requests,
    errors,
    faults,
    begin,
    turn,
    result: () => life()?.result ?? null,
    async end(ms = 0) {
      if (lives.length === 0) begin();
      await clock.advance(ms);
      const result = life()?.result;
      const left = clock.pending();
      if (left > 0 || faults.length > 0) throw new Error(`${left} timers are left; ${faults.join("; ")}`);
      if (result?.kind !== "ended") throw new Error(`the turn has not ended: ${events.slice(-5).join(" / ")}`);
      return result;
    },
    stop(kind) {
      channel.saveTurn({ ...turn(), stop: { kind, by: "7", byName: "Theo", at: clock.now() } });
      life()?.controller.abort({ kind: "flagged" } satisfies TurnAbort);
    },
    abort: (reason) => life()?.controller.abort(reason),
    accept() {
      shown.posted = shown.text;
      shown.onAccepted?.();
    },
    die() {
      dead.add(lives.length);
      channel.saveLock({ ...channel.lock(), instance: "nobody" });
      life()?.controller.abort({ kind: "superseded" } satisfies TurnAbort);
    },
  };
}

interface Records {
  clock: TestClock;
  events: string[];
  requests: ModelRequest[];
  faults: string[];
}

function scripted(
  passes: Pass[] & Partial<Pick<Model, "endsTurnAfterText" | "contextTokens" | "toolMode" | "images" | "price">>,
  index: number,
  { clock, events, requests, faults }: Records,
): Model {
  const rest = [...passes];
  const name = index === 0 ? "m" : `m${index + 1}`;
  const { endsTurnAfterText, contextTokens, toolMode, images, price } = passes;
  return {
    name,
    ...(endsTurnAfterText ? { endsTurnAfterText } : {}),
    ...(toolMode === undefined ? {} : { toolMode }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(images === undefined ? {} : { images }),
    ...(price === undefined ? {} : { price }),
    stream(request, signal) {
      const pass = rest.shift();
      events.push(`ask ${name}`);
      requests.push(structuredClone(request));
      faults.push(...findTurnFaults(name, request));
      if (!pass) faults.push(`${name} was asked once more than its script foresaw`);
      return speak(pass ?? [], clock, signal);
    },
  };
}

type Store = ReturnType<typeof createTurnStore>;

/** Wraps a store so that each write is reported before it happens. */
function reporting(store: Store, tell: (event: string) => void): Store {
  const names = (calls: readonly { call: { name: string } }[]) => calls.map(({ call }) => call.name).join(", ");
  return {
    ...store,
    fallbackBegun(index, usage) {
      tell(`attempt ${index}`);
      return store.fallbackBegun(index, usage);
    },
    modelCallStarted(iteration, mayWarn, prepare) {
      tell(`pass ${iteration}`);
      return store.modelCallStarted(iteration, mayWarn, prepare);
    },
    modelSaidNothing(usage, thoughts) {
      tell("nothing said");
      return store.modelSaidNothing(usage, thoughts);
    },
    modelAnswered(answer, thoughts) {
      tell(`answer ${answer.calls.map(({ name }) => name).join(", ")}`);
      return store.modelAnswered(answer, thoughts);
    },
    readsLaunched(calls, at, deadlineAt) {
      tell(`launch ${names(calls)}`);
      return store.readsLaunched(calls, at, deadlineAt);
    },
    ledger: {
      ...store.ledger,
      open(entry, times) {
        tell(`launch ${entry.tool}`);
        return store.ledger.open(entry, times);
      },
    },
    callWithdrawn(call, restart) {
      tell(`withdrawn ${call.call.name}`);
      return store.callWithdrawn(call, restart);
    },
    toolSettled(call, result) {
      tell(`settled ${call.call.name} ${result.status}`);
      return store.toolSettled(call, result);
    },
  };
}

function toldLog(tell: (event: string) => void, errors: object[]): Log {
  const at = (level: string) => (line: string) => tell(`${level}: ${line}`);
  const error: Log["error"] = (line, detail) => {
    at("error")(line);
    errors.push({ line, ...detail });
  };
  return { info: at("info"), warn: at("warn"), error };
}
