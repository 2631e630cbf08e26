// The gateway's object in virtual time: performs the session's actions as a Durable Object would, with a disk that survives, lives that
// don't, an alarm, the cron trigger, and channels that deduplicate. It records whatever no session may ever do.

import type { AnswerTo } from "../../src/core/state/answer-to.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import type { ProgramId } from "../../src/gateway/gateway-state.ts";
import { beginGateway, type GatewayState, type OutboxRow, type Program } from "../../src/gateway/gateway-state.ts";
import { readGatewayStatus } from "../../src/gateway/gateway-status.ts";
import type { Frame, GatewayAction, GatewayInput } from "../../src/gateway/inputs-and-actions.ts";
import type { Recollection } from "../../src/gateway/recollection.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { type Connection, GatewayDiscord, GENERAL_URL } from "./gateway-discord.ts";
import { VirtualTime } from "./virtual-time.ts";

const START = Date.UTC(2026, 10, 1);
const CRON_MS = 300_000;
const RPC_MS = 15;
export const PROGRAM: Program = { version: "1", configHash: "a", on: true };

interface Disk {
  row: string | null;
  alarmAt: number | null;
  outbox: Map<string, OutboxRow>;
  questions: Record<string, Recollection["questions"][string]>;
  channels: Record<string, Recollection["channels"][string]>;
}

/** How a channel reacts to an event. `lost`: it takes it, but its answer is lost. `refused`: the event's author may not use the bot. */
export type ChannelMood = "well" | "broken" | "deaf" | "lost" | "slow" | "refused";

/** The world of one test. */
export class GatewayWorld {
  readonly time = new VirtualTime(START);
  readonly discord = new GatewayDiscord(this.time);
  readonly actions: GatewayAction[] = [];
  readonly violations: string[] = [];
  readonly disk: Disk = { row: null, alarmAt: null, outbox: new Map(), questions: {}, channels: {} };
  /** What each channel took, in order, without repeats. */
  readonly taken: string[] = [];
  /** When connections were ready. */
  readonly connected: { from: number; to: number }[] = [];
  readonly moods: ChannelMood[] = [];
  answerTo: AnswerTo | null = "mention_and_reply";
  roles: Record<string, string | null> = {};
  /** The application's switch for the text of all messages. */
  readsContent = false;
  failedRoles = 0;
  failedReads = 0;
  /** The next reads fail and may be repeated after this time; null: never. */
  readonly readFailures: (number | null)[] = [];
  program: Program;
  caller: ProgramId;
  /** Added to the session's clock. */
  skewMs = 0;
  state: GatewayState | null = null;
  rows = 0;
  #life = 0;
  #downUntil = 0;
  #seed = 7;
  readonly #sockets = new Map<number, Connection>();
  #timer: () => void = () => {};
  #alarm: () => void = () => {};

  constructor(program: Partial<Program> = {}, seed = 7) {
    this.program = { ...PROGRAM, ...program };
    this.caller = this.program;
    this.#seed = seed;
    const cron = () => {
      this.feed({ kind: "wake", caller: this.caller });
      this.time.in(CRON_MS, cron);
    };
    this.time.in(0, cron);
  }

  pass(ms: number): void {
    this.time.pass(ms);
  }

  /** The object dies without notice, and nothing can start it for a while. */
  die(downMs: number): void {
    this.#life++;
    this.#noteConnected(this.state?.live.connection.stage === "ready", false);
    this.state = null;
    this.#downUntil = this.time.now + downMs;
    this.#timer();
    for (const connection of this.#sockets.values()) this.discord.leave(connection, 1006);
    this.#sockets.clear();
    this.#planAlarm(this.disk.alarmAt);
  }

  /** Gives the session one input and performs what follows. Starts a life if there is none. */
  feed(input: GatewayInput): void {
    if (this.time.now < this.#downUntil) return;
    this.state ??= beginGateway({
      program: this.program,
      row: this.disk.row,
      outbox: [...this.disk.outbox.values()],
      known: { questions: { ...this.disk.questions }, channels: { ...this.disk.channels } },
      seed: this.#seed++,
    });
    const before = this.state.live.connection.stage;
    const { state, actions } = stepGateway(this.state, input, this.time.now + this.skewMs);
    this.state = state;
    this.#noteConnected(before === "ready", state.live.connection.stage === "ready");
    // The whole state survives JSON, so a life could be moved at any step.
    if (input.kind !== "frame") this.state = throughJson(state);
    for (const action of actions) this.#perform(action);
    this.#check();
  }

  #noteConnected(wasReady: boolean, isReady: boolean): void {
    if (!wasReady && isReady) this.connected.push({ from: this.time.now, to: Number.POSITIVE_INFINITY });
    const last = this.connected.at(-1);
    if (wasReady && !isReady && last) last.to = this.time.now;
  }

  /** All actions of a kind so far. */
  did<Kind extends GatewayAction["kind"]>(kind: Kind): Extract<GatewayAction, { kind: Kind }>[] {
    return this.actions.filter((action): action is Extract<GatewayAction, { kind: Kind }> => action.kind === kind);
  }

  #perform(action: GatewayAction): void {
    this.actions.push(action);
    const answer = (ms: number, input: GatewayInput) => {
      const life = this.#life;
      this.time.in(ms, () => life === this.#life && this.feed(input));
    };
    switch (action.kind) {
      case "save":
        this.rows += action.alarmAt === null ? 1 : 2;
        this.disk.row = this.#checkedRow(action.saved);
        this.#planAlarm(action.alarmAt);
        break;
      case "alarm":
        this.rows++;
        this.#planAlarm(action.at);
        break;
      case "timer":
        this.#timer();
        if (action.at !== null) this.#setTimer(action.at - this.skewMs);
        break;
      case "look_up": {
        const { generation } = action;
        const found = this.discord.lookUp();
        if (found.ok)
          answer(30, {
            kind: "found",
            generation,
            url: GENERAL_URL,
            remaining: found.remaining,
            resetAfterMs: 7_200_000,
            readsContent: this.readsContent,
          });
        else answer(30, { kind: "not_found", generation, status: found.status, retryAfterMs: null });
        break;
      }
      case "connect":
        this.#connect(action.generation, action.url);
        break;
      case "send": {
        const connection = this.#sockets.get(action.generation);
        if (!connection) this.violations.push(`sent ${action.send.op} without a socket`);
        else this.time.in(5, () => this.discord.hear(connection, action.send));
        break;
      }
      case "close": {
        const connection = this.#sockets.get(action.generation);
        this.#sockets.delete(action.generation);
        if (connection) this.discord.leave(connection, action.code);
        break;
      }
      case "forward":
        this.#forward(action);
        break;
      case "outbox_put":
        this.rows++;
        this.disk.outbox.set(action.row.key, structuredClone(action.row));
        break;
      case "outbox_drop":
        this.rows++;
        this.disk.outbox.delete(action.key);
        break;
      case "remember_question":
        this.disk.questions[action.id] = action.question;
        break;
      case "remember_channel":
        this.disk.channels[action.id] = action.channel;
        break;
      case "forget":
        for (const id of action.questions) delete this.disk.questions[id];
        for (const id of action.channels) delete this.disk.channels[id];
        break;
      case "find_role": {
        const { guildId } = action;
        if (this.failedRoles > 0) {
          this.failedRoles--;
          answer(40, { kind: "role_failed", guildId });
        } else answer(40, { kind: "role", guildId, roleId: this.roles[guildId] ?? null });
        break;
      }
      case "read": {
        const { generation, channelId, after, limit, place } = action;
        const page = this.discord.list(channelId, after, limit);
        if (page.messages.some((one) => JSON.stringify(one.place) !== JSON.stringify(place)))
          this.violations.push("wrong place");
        const [retryAfterMs = 0] = this.readFailures;
        if (this.failedReads > 0 || this.readFailures.length > 0) {
          if (this.readFailures.length > 0) this.readFailures.shift();
          else this.failedReads--;
          answer(50, { kind: "read_failed", generation, channelId, retryAfterMs });
        } else answer(50, { kind: "read", generation, channelId, ...page });
        break;
      }
      case "restart":
        this.die(0);
        break;
      case "interaction":
      case "log":
        break;
    }
  }

  #connect(generation: number, url: string): void {
    if (this.#sockets.size > 0) this.violations.push("two live sockets");
    const life = this.#life;
    const say = (input: GatewayInput) => life === this.#life && this.feed(input);
    // A later life may have a socket of this generation too.
    const end = () => this.#sockets.get(generation) === connection && this.#sockets.delete(generation);
    const connection = this.discord.connect(url, {
      opened: () => say({ kind: "opened", generation }),
      frame: (frame) => say({ kind: "frame", generation, frame: frame as Frame }),
      closed: (code) => {
        end();
        say({ kind: "closed", generation, code });
      },
      failed: (status) => {
        end();
        say({ kind: "failed", generation, status });
      },
    });
    this.#sockets.set(generation, connection);
  }

  #forward({ key, event }: Extract<GatewayAction, { kind: "forward" }>): void {
    const id = event.kind === "asked" ? event.message.id : "";
    if (this.disk.questions[id]) this.violations.push(`${key} was forwarded again after its channel had it`);
    const mood = this.moods.shift() ?? "well";
    const life = this.#life;
    const take = () => {
      if (!this.taken.includes(key)) this.taken.push(key);
    };
    const answer = (input: GatewayInput) => life === this.#life && this.feed(input);
    this.time.in(mood === "slow" ? 25_000 : RPC_MS, () => {
      if (mood === "broken") return answer({ kind: "forward_failed", key });
      if (mood === "refused") return answer({ kind: "refused", key });
      if (mood === "deaf") return;
      take();
      if (mood === "lost") return answer({ kind: "forward_failed", key });
      this.time.in(RPC_MS, () => answer({ kind: "forwarded", key, answerTo: this.answerTo }));
    });
  }

  #setTimer(at: number): void {
    if (at <= this.time.now) this.violations.push("a timer for the present");
    this.#timer = this.time.in(at - this.time.now, () => this.feed({ kind: "timer" }));
  }

  #planAlarm(at: number | null): void {
    this.disk.alarmAt = at;
    this.#alarm();
    if (at === null) return;
    const due = Math.max(at - this.skewMs, this.#downUntil);
    this.#alarm = this.time.in(due - this.time.now, () => {
      this.disk.alarmAt = null;
      this.feed({ kind: "alarm" });
    });
  }

  /** The row's text. */
  #checkedRow(saved: GatewayState["saved"]): string {
    const row = JSON.stringify(saved);
    const before = JSON.parse(this.disk.row ?? "{}") as Partial<GatewayState["saved"]>;
    if (before.session && saved.session?.id === before.session.id && saved.session.seq < before.session.seq)
      this.violations.push("the stored number went back");
    if (row.length > 4000) this.violations.push("the row is large");
    return row;
  }

  #check(): void {
    const { state, disk, time, skewMs } = this;
    if (!state) return;
    const isUnfinished = state.live.connection.stage !== "idle" || disk.outbox.size > 0;
    const awayMs = disk.alarmAt === null ? Infinity : disk.alarmAt - time.now - skewMs;
    if (isUnfinished && state.program.on && awayMs > 60_000)
      this.violations.push(`unfinished work, and the alarm is ${awayMs} ms away`);
  }
}

/** Parts of states that JSON leaves unchanged. */
const movable = new WeakSet<object>();

/**
 * Returns the state after a round trip through JSON. Its parts are replaced and never changed in place, so a part that JSON left unchanged once
 * need not be copied again. Such parts are looked for down to `depth`; below that, a new part is copied as a whole.
 */
function throughJson<Value>(value: Value, depth = 3): Value {
  if (typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (typeof value !== "object") return JSON.parse(JSON.stringify({ value })).value;
  if (movable.has(value)) return value;
  const isOpened = depth > 0 && Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
  const copy: Value & object = isOpened ? opened(value, depth) : JSON.parse(JSON.stringify(value));
  movable.add(copy);
  return copy;
}

/** An object of these parts, without what JSON leaves out. */
function opened<Parts extends object>(value: Parts, depth: number): Parts {
  const copy = {} as Parts;
  for (const name in value) {
    const part = throughJson(value[name], depth - 1);
    if (part !== undefined) copy[name] = part;
  }
  return copy;
}

/** Makes a world that has been connected for a second. */
export function connectedWorld(): GatewayWorld {
  const world = new GatewayWorld();
  world.pass(1000);
  return world;
}

/** What /health would show; null: no life. */
export const statusOf = ({ state }: GatewayWorld): GatewayStatus | null => state && readGatewayStatus(state);

/** Everything forbidden that a session did, at either end. */
export const faultsOf = (world: GatewayWorld): string[] => [...world.violations, ...world.discord.violations];
