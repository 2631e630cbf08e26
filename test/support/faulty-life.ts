// One life of a channel's object over ports that break on purpose: the product's own composition root over a storage, a fetch,
// tools and timers that count each call and may throw, never answer, answer late or wrongly. Once the life ends, nothing from it
// reaches the world.

// The product loads these modules on first use, which takes longer than the world's clock waits.
import "../../durable-objects/reading/age-restriction.ts";
import "../../durable-objects/reading/catch-up.ts";
import "../../durable-objects/operations/draw.ts";
import "../../durable-objects/reminders/reminder-rights.ts";
import "../../durable-objects/replies/find-reply.ts";
import "../../src/discord/rest/bot-actions.ts";
import "../../src/mcp/remote-tools.ts";
import "../../src/model/failure.ts";
import "../../src/model/provider-error.ts";
import "../../src/toolkit/define/foreign-tools.ts";
import "../../src/toolkit/run/answer-call.ts";
import "../../src/tools/web/brave-search.ts";
import type { ChannelPorts } from "../../durable-objects/channel-ports.ts";
import { createChannelPorts, type ObjectState, type Outside } from "../../durable-objects/composition-root.ts";
import { hear } from "../../durable-objects/hearing/hear.ts";
import type { Channel } from "../../durable-objects/live-channel.ts";
import { admitMessage } from "../../durable-objects/operations/admit.ts";
import { deleteTurn } from "../../durable-objects/operations/delete-turn.ts";
import { Opening } from "../../durable-objects/operations/opening.ts";
import { clickApproval } from "../../durable-objects/operations/parking.ts";
import { askAgain } from "../../durable-objects/operations/retry.ts";
import { stopTurns } from "../../durable-objects/operations/stop.ts";
import { tick } from "../../durable-objects/operations/tick.ts";
import { resume } from "../../durable-objects/operations/token-end.ts";
import { registryNow } from "../../durable-objects/seldom/tool-listing.ts";
import { changeDeliberateMode } from "../../durable-objects/settings/change-deliberate.ts";
import type { SqlValue } from "../../durable-objects/store/sqlite-storage.ts";
import type { Receipt, Submission } from "../../src/core/state/rpc.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { tools } from "../../src/tools/index.ts";
import { MARK } from "../faults/plan.ts";
import { answerOnWire } from "../faults/wire-model.ts";
import { brokenAnswer, brokenToolAnswer } from "./broken-answers.ts";
import { otherMethods } from "./channel-methods.ts";
import type { FaultHarness, OpenWork } from "./fault-harness.ts";
import { faultyScopes } from "./faulty-scopes.ts";
import { testTools } from "./tools.ts";

/** The largest value that SQLite takes on the platform (Cloudflare: 2 MB). */
const MAX_VALUE_CHARS = 2_000_000;
const ENDED = "this life of the object is over";

/** What the Worker and the gateway's object call. */
export type LifePort = ChannelPort & { hear(heard: HeardEvent): Promise<HeardReceipt> };

/** One life. */
export class FaultyLife {
  readonly number: number;
  readonly port: LifePort;
  readonly #opening: Opening;
  readonly #world: FaultHarness;
  readonly #timers = new Set<() => void>();
  #isAlive = true;
  #isOpening = false;
  #hasWritten = false;
  #isInTransaction = false;

  constructor(world: FaultHarness, number: number) {
    this.#world = world;
    this.number = number;
    this.#opening = new Opening(() => this.#open(), {
      setAlarm: (at) => this.#setAlarm(at),
      clock: () => world.now(),
      logError: (line, detail) => world.log("error", `${line} ${JSON.stringify(detail)}`),
    });
    this.port = this.#asEvents(this.#methods());
  }

  /** Timers that the product has set and neither cleared nor seen fire. */
  get timers(): number {
    return this.#timers.size;
  }

  get channel(): Channel {
    return this.#opening.channel;
  }

  alarm(): Promise<void> {
    const ring = () => this.#opening.alarm();
    return this.#world.requestLimit?.event(ring) ?? ring();
  }

  end(): void {
    this.#isAlive = false;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #open(): ChannelPorts {
    const world = this.#world;
    this.#isOpening = true;
    try {
      const env = { ...world.variables, SCOPE: faultyScopes(world, () => this.#isAlive), CHANNEL: this.#channels() };
      const ports = createChannelPorts(this.#state(), env, this.#outside());
      return { ...ports, config: { ...ports.config, ...world.limits } };
    } finally {
      this.#isOpening = false;
    }
  }

  /** The other channels: the parent of a thread. */
  #channels() {
    return {
      getByName: (channelId: string) => ({
        hear: async (heard: HeardEvent): Promise<HeardReceipt> => {
          const kind = this.#world.pass("scope", `what ${channelId} hears`);
          if (kind === "throws" || kind === "rejects") throw new Error(`${MARK}: no receipt`);
          if (this.#world.threads) return this.#world.threads(channelId).hear(heard);
          return kind === "never" || kind === "late" ? new Promise(() => {}) : { answerTo: null };
        },
        settings: async () => {
          const kind = this.#world.pass("scope", `settings of ${channelId}`);
          if (kind === "throws" || kind === "rejects") throw new Error(`${MARK}: no settings`);
          if (kind === "never" || kind === "late") return new Promise<never>(() => {});
          return this.#world.neighbor(channelId)?.settings() ?? this.#world.parentSettings;
        },
        submit: async (submission: Submission): Promise<Receipt> => {
          const kind = this.#world.pass("scope", `a turn for ${channelId}`);
          if (kind === "throws") throw new Error(`${MARK}: no receipt`);
          this.#world.handedOver.add(`${submission.trigger.interactionId} in ${channelId}`);
          if (kind === "rejects" && this.#world.threads) await this.#world.threads(channelId).submit(submission);
          if (kind === "rejects") throw new Error(`${MARK}: the receipt was lost`);
          if (this.#world.threads) return this.#world.threads(channelId).submit(submission);
          return kind === "never" || kind === "late" ? new Promise(() => {}) : { kind: "accepted" };
        },
      }),
    };
  }

  /** Each call of a method is an event of the object. */
  #asEvents(methods: object): LifePort {
    const begun = (call: () => unknown) => {
      this.#opening.begin();
      return call();
    };
    return new Proxy(methods as LifePort, {
      get:
        (all, name) =>
        async (...given: never[]) => {
          const method = Reflect.get(all, name) as (...given: never[]) => unknown;
          const call = () => begun(() => method(...given));
          return this.#world.requestLimit?.event(call) ?? call();
        },
    });
  }

  #methods(): LifePort {
    const ticked = <Answer>(answer: Answer): Answer => {
      tick(this.channel);
      return answer;
    };
    return {
      ...otherMethods(() => this.channel),
      submit: async (submission) => ticked(admitMessage(this.channel, submission)),
      stop: async (request) => ticked(stopTurns(this.channel, request)),
      approve: async (click) => ticked(clickApproval(this.channel, click)),
      hear: async (heard) => hear(this.channel, heard),
      resume: async (request) => resume(this.channel, request),
      remove: async (request) => deleteTurn(this.channel, request),
      again: async (request) => ticked(askAgain(this.channel, request)),
      settings: async () => (this.#world.threads ? this.channel.ports.store.settings() : this.#world.parentSettings),
      deliberate: async (request) => changeDeliberateMode(this.#ports, request, await registryNow(this.#ports, null)),
    };
  }

  get #ports(): ChannelPorts {
    return this.channel.ports;
  }

  #state(): ObjectState {
    const world = this.#world;
    return {
      id: { name: world.channelId, toString: () => world.channelId },
      storage: {
        sql: { exec: (query, ...values) => this.#exec(query, values) },
        transactionSync: (work) => this.#transaction(work),
        setAlarm: (at) => this.#setAlarm(at),
        deleteAlarm: async () => {
          if (this.#isAlive) world.alarmAt = null;
        },
        deleteAll: () => this.#deleteAll(),
      },
      waitUntil: (work) => void work.catch((error: unknown) => this.#uncaught(error)),
    };
  }

  #exec(query: string, values: SqlValue[]) {
    if (!this.#isAlive) throw new Error(ENDED);
    const isWrite = !/^\s*SELECT/i.test(query);
    if (values.some((value) => typeof value === "string" && value.length > MAX_VALUE_CHARS))
      throw new Error("string or blob too big: SQLITE_TOOBIG");
    if (this.#isOpening && !isWrite && this.#world.pass("read", query.slice(0, 60)))
      throw new Error(`${MARK}: the read failed`);
    if (!this.#isOpening && isWrite) {
      this.#hasWritten = true;
      if (!this.#isInTransaction && this.#world.pass("write", query.slice(0, 60)))
        throw new Error(`${MARK}: the write failed`);
    }
    return this.#world.database.sql.exec(query, ...values);
  }

  #transaction<Result>(work: () => Result): Result {
    if (!this.#isAlive) throw new Error(ENDED);
    this.#hasWritten = false;
    this.#isInTransaction = true;
    try {
      return this.#world.database.transactionSync(() => {
        const result = work();
        if (this.#hasWritten && this.#world.pass("write", "commit")) throw new Error(`${MARK}: the commit failed`);
        return result;
      });
    } finally {
      this.#isInTransaction = false;
    }
  }

  async #deleteAll(): Promise<void> {
    if (!this.#isAlive) throw new Error(ENDED);
    if (this.#world.pass("write", "deleteAll")) throw new Error(`${MARK}: the storage was not deleted`);
    await this.#world.database.deleteAll();
  }

  #setAlarm(at: number): Promise<void> {
    if (!this.#isAlive) return new Promise(() => {});
    const kind = this.#world.pass("setAlarm", "setAlarm");
    if (kind === "throws") throw new Error(`${MARK}: no alarm was set`);
    if (kind !== "rejects") this.#world.alarmAt = at;
    if (kind === "rejects") return Promise.reject(new Error(`${MARK}: no alarm was set`));
    return kind === "never" ? new Promise(() => {}) : Promise.resolve();
  }

  #outside(): Outside {
    const world = this.#world;
    const log =
      (level: "info" | "warn" | "error") =>
      (line: string, detail: object = {}) => {
        if (this.#isAlive) world.log(level, `${line} ${JSON.stringify(detail)}`);
      };
    const server = {
      effect: async (key: string) => void world.effects.push(key),
      // Its caller's signal does not reach it; after a time it gives up.
      hold: () => world.sleep(world.limits.turnDeadlineMs * 2),
    };
    return {
      fetch: (url, init) => this.#fetch(new Request(url, init), init?.signal ?? null),
      clock: () => world.now(),
      timers: { after: (ms, callback) => this.#after(ms, callback) },
      random: () => 0.5,
      registry: createToolRegistry([...tools, ...world.tools, ...testTools(server).map((tool) => this.#faulty(tool))]),
      createLog: () => ({ info: log("info"), warn: log("warn"), error: log("error") }),
    };
  }

  #after(ms: number, callback: () => void): () => void {
    if (!this.#isAlive) return () => {};
    const cancel = () => {
      this.#timers.delete(cancel);
      cancelReal();
    };
    const cancelReal = this.#world.clock.timers.after(ms, () => {
      this.#timers.delete(cancel);
      if (this.#isAlive) callback();
    });
    this.#timers.add(cancel);
    return cancel;
  }

  /** Not async, because a port may throw synchronously. */
  #fetch(request: Request, signal: AbortSignal | null): Promise<Response> {
    if (!this.#isAlive) return new Promise(() => {});
    const world = this.#world;
    world.requestLimit?.pass();
    const { pathname, hostname } = new URL(request.url);
    const port =
      pathname === "/mcp"
        ? "mcp"
        : hostname !== "127.0.0.1"
          ? "file"
          : pathname.startsWith("/v1/")
            ? "model"
            : "discord";
    const name = `${request.method} ${pathname.slice(0, 40)}`;
    const kind = world.hangs(new URL(request.url)) ? "never" : world.pass(port, name);
    if (kind === "throws") throw new Error(`${MARK}: ${name} was not sent`);
    const answer = async () => {
      const send = () => {
        if (port === "mcp") return world.remote.fetch(request);
        if (port === "file") return world.web(request);
        if (isMedia(pathname)) return world.listenOrDraw(request);
        return port === "model" ? this.#model(request, signal ?? request.signal) : world.discord.fetch(request);
      };
      const response = kind === "never" ? null : await world.busyWith(send());
      if (kind === "late") await world.sleep(world.limits.turnDeadlineMs + 30_000);
      return response === null ? new Promise<Response>(() => {}) : brokenAnswer(kind, response, name);
    };
    const isDeaf = kind === "never" || kind === "late";
    return this.#tracked(name, signal, untilAborted(answer(), isDeaf ? null : signal));
  }

  /** The signal is the caller's own, because Node may garbage-collect the copy that a request makes of it. */
  #model(request: Request, signal: AbortSignal): Promise<Response> {
    const world = this.#world;
    return answerOnWire(request, signal, {
      answerTo: world.scenario.answerTo,
      passEvent: (name) => (this.#isAlive ? world.pass("event", name) : null),
      sleep: (ms) => world.sleep(ms),
      onStream: (signal) => this.#begun("stream", signal),
      lateMs: world.limits.turnDeadlineMs + 30_000,
      requests: world.requests,
      faults: world.modelFaults,
    });
  }

  #faulty(tool: Tool): Tool {
    const world = this.#world;
    const execute: Tool["execute"] = (input, context) => {
      const kind = world.pass("tool", tool.name);
      if (kind === "throws") throw new Error(`${MARK}: ${tool.name} threw`);
      const answer = async () => {
        if (kind === "never") return new Promise<never>(() => {});
        const result = await tool.execute(input, context);
        if (kind === "late") await world.sleep(world.limits.turnDeadlineMs + 30_000);
        return brokenToolAnswer(kind, result, tool.name);
      };
      return this.#tracked(tool.name, context.signal, answer());
    };
    return { ...tool, execute };
  }

  /** Lists what is under way. Whatever an ended life still waits for never settles. */
  async #tracked<Result>(name: string, signal: AbortSignal | null, work: Promise<Result>): Promise<Result> {
    const open = this.#begun(name, signal);
    try {
      return await work;
    } finally {
      open.isSettled = true;
      if (!this.#isAlive) await new Promise(() => {});
    }
  }

  #begun(name: string, signal: AbortSignal | null): OpenWork {
    const open = { name, signal, life: this.number, isSettled: false };
    this.#world.open.push(open);
    return open;
  }

  #uncaught(error: unknown): void {
    if (this.#isAlive)
      this.#world.uncaught.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

const isMedia = (pathname: string) => /^\/v1\/(audio|images)\//.test(pathname);

/** Rejects when the signal fires, as a real request does. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | null): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new DOMException("the request was aborted", "AbortError"));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
