// Harness: a channel's object without its runtime, in front of it the Worker's application and the local Discord, behind it a model, tools
// and a remote server, all under one clock that the test moves. Every call that the object makes of a port can break. The harness does
// what the platform does for an object: it constructs it for an event, repeats its alarm and ends lives.

// The product loads it on first use, which takes longer than one turn of the event loop.
import "../../durable-objects/replies/private-refusal.ts";
import { migrate } from "../../durable-objects/store/sqlite.ts";
import { createApp } from "../../src/app.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import { parseConfig } from "../../src/config.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { Receipt, Submission } from "../../src/core/state/rpc.ts";
import type { SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { FindScope, ScopePort } from "../../src/discord/answers/scope-port.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";
import { serveMedia } from "../../src/playground/model/media.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { FaultKind, FaultPlan, PortName } from "../faults/plan.ts";
import { passCall } from "../faults/plan.ts";
import type { Story } from "../faults/stories.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { FaultyLife, type LifePort } from "./faulty-life.ts";
import { type FaultyPeople, openFaultyPeople } from "./faulty-people.ts";
import { type DoorParts, type GatewayDoor, openGatewayDoor } from "./gateway-door.ts";
import { listed, type McpServerUnderTest, mcpServer, says } from "./mcp-server.ts";
import { migratedSqlite } from "./node-sqlite.ts";
import type { RequestLimit } from "./request-limit.ts";
import { notInspected, OPEN_COPY, openScopes } from "./scopes.ts";
import { withoutQuestion } from "./shown-answer.ts";
import "./read-once.ts";

/** A line that the Worker or the object logged. */
export interface LogLine {
  level: "info" | "warn" | "error";
  text: string;
}

/** A request that left the object, or a tool that it called. */
export interface OpenWork {
  name: string;
  life: number;
  signal: AbortSignal | null;
  isSettled: boolean;
}

/** Where the clock begins. */
export const START = Date.UTC(2030, 0, 1);
/** Short limits, so that a run that waits for all of them is short. */
const LIMITS = { turnDeadlineMs: 120_000, toolTimeoutMs: 40_000, firstTokenTimeoutMs: 30_000, streamTimeoutMs: 30_000 };
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Enough for one call. */
const LEASE_TOKENS = 9000;
const LEASE_MS = 10 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How often the platform repeats an alarm that failed, each time after twice as long. */
const ALARM_RETRIES = 6;
const ALARM_RETRY_MS = 2000;
/** How long Discord waits for the answer to an interaction. */
const PATIENCE_MS = 3000;

/** The channel and everything around it. */
export class FaultHarness {
  /** Turns that a thread's object has taken, each listed once however often it was sent. */
  readonly handedOver = new Set<string>();
  /** The objects of threads by id; null: they only accept what they get. */
  threads: ((threadId: string) => Pick<LifePort, "submit" | "hear">) | null = null;
  /** The object of another channel whose people come here too; null: there is none. */
  neighbor: (channelId: string) => FaultHarness | null = () => null;
  readonly channelId: string;
  readonly clock: TestClock;
  readonly discord: LocalDiscord;
  readonly remote: McpServerUnderTest;
  readonly scenario: Story;
  readonly plan: FaultPlan;
  readonly variables: Record<string, string>;
  readonly limits: typeof LIMITS;
  readonly database = migratedSqlite(migrate);
  readonly logs: LogLine[] = [];
  /** Rejections that nothing in the product has handled. */
  readonly uncaught: string[] = [];
  /** Messages that people have deleted, as they were. */
  readonly deleted: LocalMessage[] = [];
  readonly effects: string[] = [];
  readonly requests: ModelRequest[] = [];
  /** The provider's rules that requests broke. */
  readonly modelFaults: string[] = [];
  readonly open: OpenWork[] = [];
  /** When alarms ran. */
  readonly alarms: number[] = [];
  /** The usage that the scope has counted, once per turn. */
  readonly counted = new Map<string, TurnReport>();
  readonly scopes: FindScope;
  /** What the server's scope knows about single people. */
  readonly people: FaultyPeople;
  /** The settings of the channel that a thread belongs to. */
  parentSettings: Record<string, string> = {};
  /** How many requests each event of the object may send; null: no limit. */
  requestLimit: RequestLimit | null = null;
  /** Whether the deployment may notify a person now, because it has not done so for an hour. */
  mayTell: ScopePort["mayTell"] = async () => true;
  /** What the scope lends. */
  lease: ScopePort["lease"] = async ({ spent }) => ({
    kind: "granted",
    allowance: { tokens: spent.tokens + LEASE_TOKENS, microUsd: null },
    until: this.now() + LEASE_MS,
  });
  alarmAt: number | null = null;
  life: FaultyLife | null = null;
  door: GatewayDoor | null = null;
  #lives = 0;
  #alarmRetries = 0;
  #busy = 0;
  /** People on their way to the object, for whom the clock stands still. */
  readonly #arriving = new Set<object>();
  #skew = 0;

  /** `beside`: another channel's object, whose clock and Discord this one shares. */
  constructor(scenario: Story, plan: FaultPlan, channelId: string = PLACES.general, beside?: FaultHarness) {
    this.channelId = channelId;
    this.scenario = scenario;
    this.plan = plan;
    this.limits = { ...LIMITS, ...scenario.config };
    this.variables = readVariables(scenario);
    const copy = { ...OPEN_COPY, isLimited: scenario.isLimited === true };
    this.people =
      beside?.people ??
      openFaultyPeople({
        variables: this.variables,
        pass: (port, name) => this.pass(port, name),
        sleep: (ms) => this.sleep(ms),
        after: (ms, callback) => this.clock.timers.after(ms, callback),
        discord: { fetch: (request) => this.busyWith(this.discord.fetch(request)) },
        exportPerson: (userId) => this.#living().port.exportPerson(userId),
        logError: (line) => this.log("error", line),
      });
    this.scopes = openScopes({
      copy: async () => ({ ...copy, ...this.people.named() }),
      person: async (request) => this.people.answer(request),
      lease: (request) => this.lease(request),
      mayTell: (userId, messageId) => this.mayTell(userId, messageId),
      report: async (reports) => {
        for (const report of reports) if (!this.counted.has(report.turnId)) this.counted.set(report.turnId, report);
        return reports.map(({ turnId }) => turnId);
      },
    });
    this.clock = beside?.clock ?? createTestClock(START, () => this.settle());
    this.remote = beside?.remote ?? mcpServer(listed("send"));
    if (!beside)
      this.remote.onCall = () => says(`sent as number ${this.effects.push(`count remote ${this.effects.length}`)}`);
    const app = createApp({
      fetch: async () => new Response(null, { status: 404 }),
      config: parseConfig(this.variables),
      variables: this.variables,
      now: this.clock.now,
      logError: (line, detail) => this.log("error", `${line} ${JSON.stringify(detail)}`),
      channel: (name) => this.#stub(name),
      scope: this.scopes,
      inspected: notInspected,
      gatewayStatus: async () => "off",
      countRefused: null,
      after: () => () => {},
    });
    const discord =
      beside?.discord ??
      createLocalDiscord({
        now: this.clock.now,
        dispatch: async (request) => app.fetch(request),
        options: { buckets: { limit: 5, windowMs: 2000 } },
      });
    const touch: LocalDiscord["touch"] = (act) => {
      const before = discord.messages(channelId, act.as).find(({ id }) => id === act.messageId);
      const done = discord.touch(act);
      if (act.kind === "delete" && done.ok && before) this.deleted.push(before);
      return done;
    };
    this.discord = { ...discord, touch };
  }

  /** The time as the object sees it: its clock can be wrong. */
  now(): number {
    return this.clock.now() + this.#skew;
  }

  log(level: LogLine["level"], text: string): void {
    this.logs.push({ level, text });
  }

  /** Counts one call of a port. A clock that jumps does it here. */
  pass(port: PortName, name: string): FaultKind | null {
    const kind = passCall(this.plan, port, name);
    if (kind === "hour") this.clock.jump(HOUR_MS);
    if (kind === "minute") this.#skew -= MINUTE_MS;
    return kind === "hour" || kind === "minute" ? null : kind;
  }

  /** Waits for work that takes real time. */
  async busyWith<Result>(work: Promise<Result>): Promise<Result> {
    this.#busy++;
    try {
      return await work;
    } finally {
      this.#busy--;
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.timers.after(ms, resolve));
  }

  async settle(): Promise<void> {
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#busy + this.#arriving.size > 0);
  }

  answers(as: string = PEOPLE.mira): string[] {
    return this.discord
      .messages(this.channelId, as)
      .flatMap(({ author, content }) => (author.bot ? [withoutQuestion(content)] : []));
  }

  /** Waits for the answer to what a person does. The clock moves on only if the object makes them wait. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    const person = {};
    this.#arriving.add(person);
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
      this.#arriving.delete(person);
    });
    for (const since = this.clock.now(); !isOver && this.clock.now() < since + 100 * PATIENCE_MS; ) {
      await this.settle();
      if (!isOver) await this.step(this.clock.now() + PATIENCE_MS);
    }
    if (!isOver) throw new Error("what a person did was never answered");
    return over;
  }

  /** Whether the alarm is set for work; the one that deletes old turns is days away. */
  hasWork(): boolean {
    return this.alarmAt !== null && this.alarmAt < this.now() + DAY_MS;
  }

  /** Tools in addition to those that all tests have. */
  tools: readonly Tool[] = [];
  /** Answers what goes neither to Discord nor to the model or the remote server. */
  web: (request: Request) => Promise<Response> = (request) => this.discord.fetch(request);

  /** The models that listen and draw. Each picture counts as an effect. */
  async listenOrDraw(request: Request): Promise<Response> {
    if (request.url.includes("/images/")) this.effects.push(`count picture ${this.effects.length}`);
    return (await serveMedia(request)) ?? new Response(null, { status: 404 });
  }

  /** Requests that never answer and ignore their signal. */
  hangs: (url: URL) => boolean = () => false;

  /** Changes a setting of this channel. */
  async change(change: SettingChange): Promise<void> {
    const answer = await this.#stub(this.channelId).change(change);
    if (!answer.ok) throw new Error(answer.rule);
  }

  /** From now on messages are forwarded to the channel, as the gateway's object does. */
  openDoor(parts: Partial<DoorParts> = {}): GatewayDoor {
    this.door = openGatewayDoor({
      discord: this.discord,
      hear: async (id, heard) => (id === this.channelId ? this : this.neighbor(id))?.hear(heard) ?? { answerTo: null },
      now: () => this.clock.now(),
      sleep: (ms) => this.sleep(ms),
      ...parts,
    });
    return this.door;
  }

  /** What the object of a thread's parent channel calls. */
  submit(submission: Submission): Promise<Receipt> {
    return this.#living().port.submit(submission);
  }

  /** What the gateway's object calls. It is not a person on their way, so the clock does not wait for it. */
  hear(heard: HeardEvent): Promise<HeardReceipt> {
    return this.#living().port.hear(heard);
  }

  /** What a thread's object asks its channel's object. */
  settings(): Promise<StoredSettings> {
    return this.#living().port.settings();
  }

  /** What the scope calls on each object of a person's places. */
  async forgetPerson(userId: string): Promise<void> {
    await this.#living().port.forgetPerson(userId);
  }

  /** Moves on to the next timer or alarm, at most to `until`. Returns false if none is set before that. */
  async step(until: number): Promise<boolean> {
    await this.settle();
    const timer = this.clock.nextAt() ?? Number.POSITIVE_INFINITY;
    const alarm = this.hasWork() && this.alarmAt !== null ? this.alarmAt - this.#skew : Number.POSITIVE_INFINITY;
    const next = Math.min(timer, alarm);
    if (next === Number.POSITIVE_INFINITY) return false;
    await this.clock.advance(Math.max(0, Math.min(next, until) - this.clock.now()));
    if (this.alarmAt !== null && this.alarmAt <= this.now()) await this.#ring();
    await this.settle();
    return next <= until;
  }

  /** Ends the life: a deploy, an eviction. */
  restart(): void {
    this.life?.end();
    this.life = null;
  }

  async #ring(): Promise<void> {
    this.alarmAt = null;
    this.alarms.push(this.clock.now());
    try {
      await this.#living().alarm();
      this.#alarmRetries = 0;
    } catch (error) {
      if (this.#alarmRetries++ >= ALARM_RETRIES) return this.log("info", `the platform gives the alarm up: ${error}`);
      this.alarmAt ??= this.now() + ALARM_RETRY_MS * 2 ** (this.#alarmRetries - 1);
    }
  }

  #living(): FaultyLife {
    this.life ??= new FaultyLife(this, ++this.#lives);
    return this.life;
  }

  /** The object of this name as the Worker reaches it. */
  #stub(name: string): LifePort {
    return new Proxy({} as LifePort, {
      get: (_, method) => async (given: never, more: never) => {
        for (const first of [...this.#arriving].slice(0, 1)) this.#arriving.delete(first);
        const { port } = (this.neighbor(name) ?? this).#living();
        const called = port[method as keyof LifePort] as (given: never, more: never) => Promise<unknown>;
        return called(given, more);
      },
    });
  }
}

function readVariables({ variables, models = 1 }: Story): Record<string, string> {
  const list = Array.from({ length: models }, (_, index) => ({ id: `scripted ${index + 1}`, model: `m${index + 1}` }));
  return {
    DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_BASE_URL: "http://127.0.0.1:1/api/v10",
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: "http://127.0.0.1/v1",
    MODELS: JSON.stringify(list),
    ...variables,
  };
}
