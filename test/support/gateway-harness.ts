// Harness: the gateway's object through its own composition root, over Node's SQLite, with the local Discord and its Gateway, on a clock that
// the test moves. Its sockets are in this process and can freeze; its channels record what they receive. Use it for what the object does over
// time, and for lives that end.
import {
  createOpeningPorts,
  type GatewayContext,
  type GatewayOutside,
} from "../../durable-objects/gateway/composition-root.ts";
import { Opening } from "../../durable-objects/gateway/opening.ts";
import { parseConfig, readProgram } from "../../src/config.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { keyOf } from "../../src/gateway/forwarded-event.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { VARIABLES } from "./endpoint-harness.ts";
import { FakeWires } from "./gateway-wire.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import { openScopes } from "./scopes.ts";

/** How a channel reacts to what it receives. `lost`: it takes it, but its answer is lost. */
export type ChannelMood = "well" | "broken" | "deaf" | "lost";

/** The object and its world. */
export class GatewayHarness {
  readonly clock: TestClock;
  readonly discord: LocalDiscord;
  readonly wires: FakeWires;
  /** What channels received, with repeats. */
  readonly heard: { channelId: string; heard: HeardEvent }[] = [];
  /** How the next calls go, in order; `well` after that. */
  readonly moods: ChannelMood[] = [];
  answerTo: HeardReceipt["answerTo"] = "mention_and_reply";
  variables: Record<string, string>;
  scopes = openScopes();
  /** The deployed version, for lives that begin later and for callers. */
  version = "one";
  readonly lines: string[] = [];
  /** How often the object has ended itself. */
  restarts = 0;
  rows = 0;
  /** The storage fails at the next statement that begins like this. */
  brokenStatement: string | null = null;
  alarmAt: number | null = null;
  opening: Opening;
  readonly #storage = nodeSqlite();
  #life = 0;
  #busy = 0;

  constructor(variables: Record<string, string> = {}) {
    this.variables = {
      ...VARIABLES,
      DISCORD_BOT_TOKEN: APPLICATION.botToken,
      DISCORD_GATEWAY: "on",
      OWNER_IDS: PEOPLE.juno,
      ...variables,
    };
    this.clock = createTestClock(Date.UTC(2030, 0, 1), async () => {
      do await new Promise<void>((resolve) => setImmediate(resolve));
      while (this.#busy > 0);
    });
    this.discord = createLocalDiscord({
      now: this.clock.now,
      gatewayUrl: "wss://gateway.test",
      dispatch: async () => new Response(null, { status: 500 }),
    });
    this.wires = new FakeWires(this.discord.gateway);
    this.opening = this.#begin();
  }

  /** Runs the cron trigger of the deployed version; `isStart`: a person does it. Null: it was rejected. */
  async wake(isStart = false): Promise<GatewayStatus | null> {
    const parsed = parseConfig(this.#env());
    if (!parsed.ok) return null;
    const woken = await this.opening.wake(readProgram(parsed.config, this.#env()), isStart).catch(() => null);
    await this.pass(0);
    return woken;
  }

  /** Lets time pass; alarms and Discord's own sweeps run at their times. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    for (;;) {
      const next = Math.min(end, this.clock.now() + 1000, Math.max(this.alarmAt ?? end, this.clock.now()));
      await this.clock.advance(next - this.clock.now());
      this.discord.gateway.sweep();
      if (this.alarmAt !== null && this.alarmAt <= this.clock.now()) await this.ring();
      if (this.clock.now() >= end) break;
    }
    await this.clock.advance(0);
  }

  /** Runs the alarm now, whatever time it was set for. */
  async ring(): Promise<void> {
    this.alarmAt = null;
    await this.opening.alarm();
  }

  /** The object dies without notice. What was stored stays. */
  die(): void {
    this.#life++;
    this.wires.breakAll();
    this.opening = this.#begin();
  }

  /** A person writes. Returns the message's id. */
  say(content: string, more: { as?: string; channel?: string } = {}): string {
    return this.discord.speak({ as: PEOPLE.theo, channel: PLACES.general, content, ...more });
  }

  /** A person mentions the bot. */
  ask(more: { as?: string; channel?: string } = {}): string {
    return this.say(`<@${APPLICATION.id}> why?`, more);
  }

  /** Names of the events that channels received since the last call. */
  heardKeys(): string[] {
    return this.heard.splice(0).map(({ heard }) => keyOf(heard.event));
  }

  /** Frames of this opcode that the object sent. */
  sent(op: number): number {
    return this.discord.gateway.log.filter((one) => one.kind === "in" && one.op === op).length;
  }

  /** The Identify and Resume frames that were sent. */
  get counts(): { identifies: number; resumes: number } {
    return { identifies: this.sent(2), resumes: this.sent(6) };
  }

  #env(): object {
    const hear = (channelId: string, heard: HeardEvent) => this.#hear(channelId, heard);
    return {
      ...this.variables,
      CF_VERSION_METADATA: { id: this.version },
      SCOPE: { getByName: (name: string) => this.scopes(name) },
      CHANNEL: { getByName: (id: string) => ({ hear: (heard: HeardEvent) => hear(id, heard) }) },
    };
  }

  async #hear(channelId: string, heard: HeardEvent): Promise<HeardReceipt> {
    const mood = this.moods.shift() ?? "well";
    if (mood === "broken") throw new Error("the channel can't be reached");
    if (mood === "deaf") return new Promise(() => {});
    // Copied, as an RPC does.
    this.heard.push({ channelId, heard: structuredClone(heard) });
    if (mood === "lost") throw new Error("the answer was lost");
    return { answerTo: this.answerTo };
  }

  #begin(): Opening {
    const life = ++this.#life;
    const isAlive = () => life === this.#life;
    const ctx: GatewayContext = {
      storage: {
        ...this.#storage,
        sql: { exec: (query, ...values) => this.#exec(query, values) },
        setAlarm: async (at) => {
          this.rows++;
          this.alarmAt = at;
        },
        deleteAlarm: async () => {
          this.alarmAt = null;
        },
        sync: async () => {},
      },
      abort: () => {
        if (!isAlive()) return;
        this.restarts++;
        this.die();
      },
    };
    return new Opening(createOpeningPorts(ctx, this.#env(), this.#outside(isAlive)));
  }

  #exec(query: string, values: Parameters<ReturnType<typeof nodeSqlite>["sql"]["exec"]>[1][]) {
    if (this.brokenStatement !== null && query.startsWith(this.brokenStatement)) {
      this.brokenStatement = null;
      throw new Error("the storage is broken");
    }
    if (/^(INSERT|UPDATE|DELETE)/.test(query)) this.rows++;
    return this.#storage.sql.exec(query, ...values);
  }

  #outside(isAlive: () => boolean): GatewayOutside {
    const log = (level: string) => (line: string) => void (level !== "info" && this.lines.push(line));
    return {
      fetch: async (url, init) => {
        this.#busy++;
        try {
          return await this.discord.fetch(new Request(url, init));
        } finally {
          this.#busy--;
        }
      },
      upgrade: this.wires.upgrade,
      clock: this.clock.now,
      timers: { after: (ms, callback) => this.clock.timers.after(ms, () => isAlive() && callback()) },
      random: () => 0.5,
      createLog: () => ({ info: log("info"), warn: log("warn"), error: log("error") }),
    };
  }
}

/** Makes a connected world. */
export async function connected(variables: Record<string, string> = {}): Promise<GatewayHarness> {
  const world = new GatewayHarness(variables);
  await world.wake();
  await world.pass(100);
  return world;
}
