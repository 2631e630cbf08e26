// A random week in a channel, during which Discord often does not do what it is asked: people act as in week-people.ts, while lives end
// and Discord is in one of eight outages. Then everything works again, and after a day outage-rules.ts checks what Discord shows. This file owns
// the kind of week, its time and its outages. The same seed gives the same week, except for what the program does.
import { SILENCE_AFTER_REFUSAL_MS } from "../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import {
  createOutageHarness,
  type Outage,
  type OutageHarness,
  passForgetfully,
  renew,
} from "../support/outage-harness.ts";
import { openThreads } from "../support/thread-harness.ts";
import { findBroken, findHaste, REMOTELY, rowsOf } from "./outage-rules.ts";
import { seededRandom } from "./plan.ts";
import { watchRejections } from "./stage.ts";
import { answerTo, answerToAll, KINDS } from "./week-answers.ts";
import { WeekModerators } from "./week-moderators.ts";
import { REMOTE_VARIABLES, WeekOwners } from "./week-owners.ts";
import { SPEAKERS, WeekPeople } from "./week-people.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS = 24;
/** After this time every late answer is there, and each reminder has come. */
const REST_MS = 32 * HOUR_MS;
/** After that nothing happens any more. */
const QUIET_MS = 2 * HOUR_MS;
/** The longest step of time in which the harness can play everything that happens. */
const AT_ONCE_MS = 10 * MINUTE_MS;
/** The shortest time after which an object leaves memory. */
const FORGETFUL_MS = 5 * MINUTE_MS;
/** How long each outage lasts at most. Outages in which requests are repeated all the time are short, so that a week is quick to play. */
const OUTAGES: readonly (readonly [Outage, number])[] = [
  ["refuses", 2 * DAY_MS],
  ["down", 2 * HOUR_MS],
  ["failing", 2 * HOUR_MS],
  ["loses", 20 * MINUTE_MS],
  ["limits", 2 * HOUR_MS],
  ["closed", DAY_MS],
  ["muted", DAY_MS],
  ["locked", DAY_MS],
];
/** Outages in which somebody keeps the bot out: answers from that time may never be shown. */
const SHUT: ReadonlySet<Outage> = new Set(["closed", "muted", "locked"]);
/** Outages in which requests are repeated at each heartbeat, for each answer, as long as there is something to show. */
const REPEATING: ReadonlySet<Outage> = new Set(["down", "failing", "loses", "limits"]);
/** How soon a follow-up comes. */
const SOON_MS = [300, 3000, 20_000] as const;
const PAUSES_MS = [300, 3000, 20_000, 5 * MINUTE_MS, 20 * MINUTE_MS, 2 * HOUR_MS, 9 * HOUR_MS];

/** What is only said and done in some weeks. */
interface WeekKind {
  /** A persona answers. */
  hasPersona: boolean;
  /** What a follow-up does while its person's answer is being written. */
  followUp: "queue" | "interrupt" | "steer";
  /** People are forgotten. */
  forgets: boolean;
  /** People who ask for something that needs an approval mostly decide soon, and often deny it. */
  decides: boolean;
  /** The conversation is reset. */
  resets: boolean;
  /** People delete and edit what they have asked by message. */
  takesBack: boolean;
  /** Some answers, or all, are in threads of their own. */
  threads: "none" | "some" | "all";
  /** Several personas speak in turn. */
  hasScenes: boolean;
  /** People also ask, click and have reminders set in the threads. */
  livesInThreads: boolean;
  /** A moderator deletes messages of the bot. */
  removes: boolean;
  /** Threads are archived, locked and deleted, and the first two opened again. */
  closesThreads: boolean;
  /** The speakers of scenes also make calls that need an approval. */
  scenesDecide: boolean;
  /** Somebody changes settings. */
  sets: boolean;
  /** New lives have other variables. */
  deploys: boolean;
  /** A remote server has a tool, and often fails. */
  hasRemote: boolean;
  /** People also talk to each other, which the bot overhears, and some opt out of that. */
  optsOut: boolean;
}

/** Each divisor of the seed is a different prime or a power of two, so that every feature of a week is combined with every other. */
const kindOf = (seed: number): WeekKind => ({
  hasPersona: seed % 3 === 0,
  followUp: (["queue", "queue", "queue", "interrupt", "steer"] as const)[seed % 5] ?? "queue",
  forgets: seed % 4 === 3,
  decides: seed % 7 < 3,
  resets: seed % 11 < 4,
  takesBack: seed % 13 < 5,
  hasScenes: seed % 17 < 6,
  livesInThreads: isWithin(seed % 23, 4, 11),
  removes: isWithin(seed % 29, 15, 24),
  closesThreads: isWithin(seed % 31, 15, 25),
  scenesDecide: isWithin(seed % 37, 10, 25),
  sets: isWithin(seed % 41, 14, 24),
  deploys: isWithin(seed % 43, 14, 23),
  hasRemote: isWithin(seed % 47, 16, 26),
  optsOut: isWithin(seed % 53, 4, 14),
  threads: seed % 19 < 3 ? "some" : seed % 19 < 6 ? "all" : "none",
});

const isWithin = (one: number, from: number, to: number): boolean => one >= from && one <= to;

/** Plays the week. Returns the violations in words. */
export async function playWeek(seed: number): Promise<string[]> {
  const week = await Week.begin(seed);
  const restore = watchRejections(week.harness.world);
  try {
    return await week.play();
  } catch (error) {
    return [`the week broke: ${error instanceof Error ? (error.stack ?? error.message) : error}`];
  } finally {
    for (const one of week.harness.objects()) one.restart();
    restore();
  }
}

class Week {
  readonly harness: OutageHarness;
  readonly #random: () => number;
  readonly #kind: WeekKind;
  readonly #outages: typeof OUTAGES;
  readonly #people: WeekPeople;
  readonly #moderators: WeekModerators;
  readonly #owners: WeekOwners;
  readonly #said: string[] = [];
  readonly #found: string[] = [];
  #present: Outage = "up";
  /** When the current outage is over. */
  #endsAt = 0;
  /** For a while after the bot was kept out nothing begins. */
  #silentUntil = 0;

  static async begin(seed: number): Promise<Week> {
    const random = seededRandom(seed * 7919);
    const wanted = kindOf(seed);
    const place = [PLACES.general, PLACES.general, PLACES.thread, PLACES.dmOfMira][Math.floor(random() * 4)];
    const channelId = wanted.threads === "none" ? place : PLACES.general;
    const isShared = channelId !== PLACES.dmOfMira;
    const kind = { ...wanted, hasPersona: wanted.hasPersona && isShared, optsOut: wanted.optsOut && isShared };
    const answers = (object: OutageHarness["world"]) =>
      kind.followUp === "steer" || kind.sets ? (request: ModelRequest) => answerToAll(object, request) : answerTo;
    const auto = kind.threads === "all" && { auto_thread: "true" };
    const harness: OutageHarness = await createOutageHarness({
      ...(channelId && { channelId }),
      settings: { turns_per_minute: "0", follow_up: kind.followUp, ...auto },
      ...(kind.hasRemote && { variables: REMOTE_VARIABLES }),
      readsContent: kind.optsOut,
      // The gateway's object says who has opted out.
      more: {
        get scope() {
          return { settings: {}, isLimited: false, ...harness.world.people.named() };
        },
      },
      answerTo: (request) => answers(harness.world)(request),
    });
    if (kind.threads !== "none") openThreads(harness, answers);
    if (kind.hasPersona) {
      await harness.use(PEOPLE.juno, "persona create", { name: "Rex", prompt: "Be brief." });
      await harness.use(PEOPLE.juno, "persona use", { name: "Rex" });
    }
    if (kind.hasScenes)
      for (const name of SPEAKERS) await harness.use(PEOPLE.juno, "persona create", { name, prompt: "Be brief." });
    return new Week(harness, random, kind);
  }

  private constructor(harness: OutageHarness, random: () => number, kind: WeekKind) {
    this.harness = harness;
    this.#random = random;
    this.#kind = kind;
    const isDirect = harness.world.channelId === PLACES.dmOfMira;
    // Nobody can lock a direct message, or take the right to write there.
    this.#outages = isDirect ? OUTAGES.filter(([outage]) => !SHUT.has(outage)) : OUTAGES;
    const say = (what: string) => void this.#said.push(what);
    this.#people = new WeekPeople({
      harness,
      random,
      hasPersona: kind.hasPersona,
      hasThreads: kind.threads !== "none",
      livesInThreads: kind.livesInThreads,
      kinds: kind.hasRemote ? [...KINDS, REMOTELY] : KINDS,
      sceneKinds: kind.scenesDecide ? KINDS : KINDS.filter((one) => one !== "dangerously"),
      isShut: () => SHUT.has(this.#present) || harness.world.clock.now() < this.#silentUntil,
      say,
    });
    this.#moderators = new WeekModerators({ harness, random, people: this.#people, say });
    this.#owners = new WeekOwners({ harness, random, hasRemote: kind.hasRemote, say });
  }

  async play(): Promise<string[]> {
    const { harness } = this;
    const { world } = harness;
    await this.#people.ask("command", this.#people.anybody());
    await harness.rest();
    for (let step = 0; step < STEPS; step++) {
      await this.#happens();
      await this.#pass(this.#pick(PAUSES_MS));
    }
    this.#becomes("up");
    this.#owners.mend();
    for (const [id, how] of harness.closed) if (how !== "deleted") harness.closed.delete(id);
    // Usually the last life must recover by itself.
    if (this.#random() < 0.3) renew(harness);
    await this.#pass(REST_MS);
    for (const { channelId: channel, database } of harness
      .objects()
      .filter((one) => !harness.closed.has(one.channelId)))
      for (const { number } of rowsOf(database, "SELECT number FROM reminders")) {
        const cancel = { kind: "command", as: PEOPLE.mira, channel, name: "reminders", subcommand: "cancel" } as const;
        await world.during(world.discord.interact({ ...cancel, options: { number: Number(number) } }));
      }
    await this.#pass(HOUR_MS);
    const alarms = () => harness.objects().reduce((sum, one) => sum + one.alarms.length, 0);
    const before = alarms();
    await this.#pass(QUIET_MS);
    if (alarms() > before) this.#found.push(`${alarms() - before} alarms although nothing happens`);
    const owned = await this.#owners.findBroken(this.#people.records);
    const broken = [...this.#found, ...findBroken(harness, this.#people), ...owned];
    return broken.length === 0 ? [] : [...broken, `(${harness.world.channelId}: ${this.#said.join(", ")})`];
  }

  async #happens(): Promise<void> {
    const acts = this.#acts();
    let left = this.#random() * acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, act] of acts) {
      left -= weight;
      if (left < 0) return act();
    }
  }

  /** What may happen next, with probabilities. */
  #acts(): [weight: number, act: () => Promise<void> | void][] {
    const [people, owners, moderators] = [this.#people, this.#owners, this.#moderators];
    const { forgets, decides, resets, takesBack, hasScenes, removes, closesThreads } = this.#kind;
    const { sets, deploys, hasRemote, optsOut } = this.#kind;
    return [
      [20, () => this.#askOften("message")],
      [20, () => this.#askOften("command")],
      [15, () => people.remind()],
      [20, () => this.#beginOutage()],
      [5, () => this.#becomes("up")],
      [10, () => people.click()],
      [forgets ? 5 : 0, () => people.forget(people.anybody())],
      [decides ? 15 : 0, () => this.#askAndDecide()],
      [takesBack ? 12 : 0, () => people.takeBack(this.#random() < 0.5 ? "delete" : "edit")],
      [takesBack ? 12 : 0, () => this.#askAndTakeBack()],
      [hasScenes ? 15 : 0, () => people.playScene(people.anybody())],
      [resets ? 6 : 0, () => people.reset()],
      [removes ? 8 : 0, () => moderators.remove()],
      [closesThreads ? 8 : 0, () => moderators.closeThread()],
      [sets ? 10 : 0, () => owners.change(people.somewhere())],
      [deploys ? 8 : 0, () => owners.deploy()],
      [hasRemote ? 12 : 0, () => owners.breakRemote()],
      [hasRemote ? 20 : 0, () => people.ask(this.#pick(["message", "command"] as const), people.anybody(), REMOTELY)],
      [optsOut ? 20 : 0, () => owners.chat(people.anybody(), people.somewhere())],
      [optsOut ? 6 : 0, () => owners.optOut(people.anybody(), () => people.marks)],
      [5, () => this.#die()],
    ];
  }

  #beginOutage(): void {
    const [outage, longestMs] = this.#pick(this.#outages);
    this.#becomes(outage, this.#random() * longestMs);
  }

  #die(): void {
    if (this.harness.door.open() > 0) return;
    this.#said.push("a death");
    this.#pick(this.harness.objects()).restart();
  }

  async #askAndDecide(): Promise<void> {
    const as = this.#people.anybody();
    await this.#people.ask(this.#pick(["message", "command"] as const), as, "dangerously");
    await this.#pass(this.#pick(SOON_MS));
    await this.#people.decide(as);
  }

  /** Asks; if follow-ups affect the running answer, more of them follow. */
  async #askOften(how: "message" | "command"): Promise<void> {
    const as = this.#people.anybody();
    await this.#people.ask(how, as);
    while (this.#kind.followUp !== "queue" && this.#random() < 0.5) {
      await this.#pass(this.#pick(SOON_MS));
      await this.#people.ask(this.#pick(["message", "command"] as const), as);
    }
  }

  async #askAndTakeBack(): Promise<void> {
    await this.#people.ask("message", this.#people.anybody());
    await this.#pass(this.#pick(SOON_MS));
    await this.#people.takeBack(this.#random() < 0.5 ? "delete" : "edit");
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  /** Time passes; an outage ends by itself. An object without work leaves memory, or is kept. */
  async #pass(ms: number): Promise<void> {
    const { clock } = this.harness.world;
    // A caller that waits for a receipt keeps the object in memory.
    const isAwake = ms < FORGETFUL_MS || this.#random() < 0.5 || this.harness.door.open() > 0;
    const pass = (ms: number) => (isAwake ? this.#passAwake(ms) : passForgetfully(this.harness, ms));
    const until = clock.now() + ms;
    this.#said.push(`${ms / 1000} s`);
    if (this.#present !== "up" && this.#endsAt < until) {
      await pass(Math.max(1, this.#endsAt - clock.now()));
      this.#becomes("up");
    }
    const { alarms } = this.harness.world;
    const [rung, failed, leftMs] = [alarms.length, this.harness.failed.length, until - clock.now()];
    if (leftMs > 0) await pass(leftMs);
    if (leftMs < HOUR_MS) return;
    const perHour = (count: number) => Math.round((count * HOUR_MS) / leftMs);
    const rates = {
      outage: this.#present,
      alarms: perHour(alarms.length - rung),
      failed: perHour(this.harness.failed.length - failed),
    };
    this.#found.push(...findHaste(rates, REPEATING.has(this.#present), this.#people.records.length));
  }

  async #passAwake(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= AT_ONCE_MS) await this.harness.pass(Math.min(left, AT_ONCE_MS));
  }

  #becomes(outage: Outage, ms = 0): void {
    const { harness } = this;
    this.#said.push(outage);
    if (SHUT.has(this.#present)) this.#silentUntil = harness.world.clock.now() + SILENCE_AFTER_REFUSAL_MS;
    // A working token comes with a deploy.
    if (outage === "up" && this.#present === "refuses") renew(harness);
    this.#present = outage;
    this.#endsAt = harness.world.clock.now() + ms;
    harness.become(outage);
    if (SHUT.has(outage)) this.#people.shut();
  }
}
