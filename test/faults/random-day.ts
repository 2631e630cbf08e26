// A random day in a channel: people ask, click on whatever they see, edit, delete, stop and change settings, while lives end, calls of
// ports break and Discord refuses. Then come a rest, one more question, and a check of what is left. The same seed gives the same day, except
// for what the program does.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import type { LeaseAnswer } from "../../src/core/access/scope-rpc.ts";
import { isRefusedAlone } from "../../src/core/decisions/private-refusal.ts";
import type { Act, PickedFile } from "../../src/playground/discord/acts.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { FaultHarness } from "../support/fault-harness.ts";
import { BOT } from "../support/gateway-door.ts";
import type { Answer } from "../support/scripted-model.ts";
import { hasWorkLine } from "../support/shown-answer.ts";
import { type Objects, openObjects } from "../support/thread-harness.ts";
import { ADA, ANSWERS, COMMANDS, SETTINGS } from "./day-choices.ts";
import { type FaultKind, planFaults, seededRandom } from "./plan.ts";
import { isFinal, People, watchRejections } from "./stage.ts";
import { findViolations, leftInThread } from "./violations.ts";

/** How bad a day is: how likely each call of a port is to break, to be the last of its life, or to be refused by Discord. */
export interface Chances {
  faults: number;
  deaths: number;
  refusals: number;
}

/** Nothing breaks; lives end only while nothing is under way. */
export const CALM: Chances = { faults: 0, deaths: 0, refusals: 0 };

const EVERYBODY = [PEOPLE.mira, PEOPLE.theo, PEOPLE.juno, ADA];
const STEPS = 40;
/** A loop of the model lasts for this many messages of the conversation. */
const LOOP_MESSAGES = 60;
const MINUTE_MS = 60_000;
/** Long enough for an approval to expire and its turn to end. */
const REST_MS = 20 * MINUTE_MS;
const MAX_RESTS = 60;
const FAULTS: readonly FaultKind[] = ["throws", "rejects", "never", "late", "garbage"];
const REFUSALS: readonly (readonly [status: number, code: number, more?: object])[] = [
  [429, 0, { retry_after: 2.5, global: false }],
  [429, 0, { retry_after: 40, global: true }],
  [500, 0],
  [502, 0],
  [400, 20016],
  [400, 30046],
  [400, 50035],
  [400, 200000],
  [401, 50027],
  [403, 50001],
  [403, 50013],
  [403, 160002],
  [404, 10003],
  [404, 10008],
  [404, 10015],
];
/** Codes that only concern tokens of webhooks and interactions. */
const OF_TOKENS = new Set([10015, 50027]);
/**
 * Violations that are allowed on a day: a turn for each of its threads, alarms close together, the same refusal twice, and buttons removed from a
 * message whose words Discord refused.
 */
const ALLOWED = /^(handed over twice|posted twice|\d+ alarms within|Discord refused.*Cannot send an empty message)/;

/** Plays the day. Returns the violations in words. */
export async function playDay(seed: number, chances: Chances): Promise<string[]> {
  const day = new Day(seed, chances);
  const restore = watchRejections(day.world);
  try {
    return await day.play();
  } catch (error) {
    return [`the day broke: ${error instanceof Error ? (error.stack ?? error.message) : error}`];
  } finally {
    day.world.restart();
    restore();
  }
}

class Day {
  readonly world: FaultHarness;
  readonly #chances: Chances;
  readonly #random: () => number;
  readonly #lending: () => number;
  readonly #people: People;
  /** On some days each thread has an object of its own, and people talk there too. */
  readonly #threads: Objects | null;
  readonly #placing: () => number;
  readonly #present: readonly string[];
  /** With the bot's token everything that it wrote can be corrected; without it, things stay as they are when an interaction's token ends. */
  readonly #hasBot: boolean;
  readonly #found: string[] = [];
  /** The messages that people wrote, with their authors. */
  readonly #written: (readonly [id: string, by: string])[] = [];
  #answers = 0;
  #step = 0;
  #isOver = false;

  constructor(seed: number, chances: Chances) {
    this.#chances = chances;
    this.#random = seededRandom(seed);
    this.#lending = seededRandom(seed + 3);
    this.#hasBot = seed % 3 !== 0;
    const place = this.#pick([PLACES.general, PLACES.general, this.#hasBot ? PLACES.thread : PLACES.dmOfTheo]);
    this.#present = place === PLACES.dmOfTheo ? [PEOPLE.theo] : EVERYBODY;
    this.world = new FaultHarness(
      {
        name: `day ${seed}`,
        answerTo: (request) => this.#answerTo(request),
        play: async () => {},
        full: {},
        config: { turnDeadlineMs: 30 * MINUTE_MS, streamTimeoutMs: 20 * MINUTE_MS },
        variables: this.#hasBot ? { DISCORD_BOT_TOKEN: APPLICATION.botToken } : {},
        models: this.#pick([1, 2]),
        ...(this.#random() < 0.3 && { isLimited: true }),
      },
      { ...planFaults(), faults: this.#faults(seededRandom(seed + 1)) },
      place,
    );
    this.world.lease = async ({ spent, person }) => this.#lends(spent.tokens, person !== undefined);
    this.#placing = seededRandom(seed + 4);
    const hasThreads = place === PLACES.general && this.#hasBot && seed % 23 > 13;
    this.#threads = hasThreads ? openObjects(this.world, () => (request) => this.#answerTo(request)) : null;
    this.#people = new People(this.world, "wait");
    this.world.openDoor();
    this.#refuse(seededRandom(seed + 2));
  }

  async play(): Promise<string[]> {
    const { world } = this;
    for (const key of Object.keys(SETTINGS)) if (this.#random() < 0.3) await this.#set(key);
    for (const name of ["Ada", "Bob"])
      await this.#does(this.#manager, {
        kind: "command",
        name: "persona",
        subcommand: "create",
        options: { name, prompt: "Be brief." },
      });
    for (this.#step = 0; this.#step < STEPS; this.#step++) {
      await this.#doesSomething(this.#pick(this.#present));
      await this.#pass(this.#pause());
    }
    world.plan.isOver = true;
    this.#isOver = true;
    for (const key of Object.keys(SETTINGS)) await world.change({ key, value: null });
    await this.#rest();
    await this.#people.say(this.#manager, "after that hello");
    const last = this.#people.asked.at(-1);
    await this.#people.seen(() => last !== undefined && isFinal(this.#people.reply(last)));
    await this.#people.rest();
    await this.#rest();
    const { violations } = findViolations(world, this.#people, "wait", null);
    const [, ...threads] = this.#objects;
    violations.push(...threads.flatMap(leftInThread));
    const others = violations.filter((violation) => !ALLOWED.test(violation));
    return [
      ...new Set([
        ...this.#found,
        ...this.#people.violations,
        ...others,
        ...this.#saidTwice(),
        ...this.#leftBelow(),
        ...this.#readByAll(),
      ]),
    ];
  }

  /** What the scope lends when asked: mostly enough, sometimes nothing; and people who have waited are sometimes refused. */
  #lends(spentTokens: number, asksPerson: boolean): LeaseAnswer {
    const until = this.world.now() + 10 * MINUTE_MS;
    const limit = { of: "deployment", unit: "microUsd", limit: 5_000_000, resetsAt: until } as const;
    const chance = this.#isOver ? 1 : this.#lending();
    if (chance < 0.1) return { kind: "spent", limit };
    if (chance < 0.2 && asksPerson) return { kind: "refused", refusal: { reason: "blocked" } };
    return { kind: "granted", allowance: { tokens: spentTokens + 9000, microUsd: null }, until };
  }

  get #isCalm(): boolean {
    const { faults, deaths, refusals } = this.#chances;
    return faults + deaths + refusals === 0;
  }

  get #manager(): string {
    return this.#present.includes(PEOPLE.juno) ? PEOPLE.juno : PEOPLE.theo;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  #answerTo({ messages }: ModelRequest): Answer {
    const mark = `[${++this.#answers}]`;
    const last = messages.at(-1);
    const asked = messages.findLastIndex(({ role }) => role === "user");
    const isLoop = messages[asked]?.text.endsWith("loop") && messages.length - asked < LOOP_MESSAGES;
    if (last?.role === "tool" && isLoop)
      return { texts: [`Round ${mark}. `], calls: [{ name: "count", args: { note: mark } }] };
    if (last?.role === "tool") return { texts: [`Done ${mark}.`] };
    const word = /(\w+)\W*$/.exec(last?.text.slice(-99) ?? "")?.[1] ?? "";
    return (ANSWERS[word] ?? ANSWERS.hello)?.(mark) ?? {};
  }

  /** Asked for each call of a port. */
  #faults(random: () => number): ReadonlyMap<number, FaultKind> {
    const { faults, deaths } = this.#chances;
    const draw = () => {
      // The call takes effect, but nobody gets its answer.
      if (random() < deaths) queueMicrotask(() => this.world.restart());
      return random() < faults ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
    };
    return new (class extends Map<number, FaultKind> {
      override get = draw;
    })();
  }

  #refuse(random: () => number): void {
    this.world.discord.addWeather(({ path }) => {
      if (this.#isOver || random() >= this.#chances.refusals) return null;
      const [status, code, more] = REFUSALS[Math.floor(random() * REFUSALS.length)] ?? [500, 0];
      if (OF_TOKENS.has(code) && !path.startsWith("/webhooks/")) return null;
      const headers = status === 429 ? { headers: { "retry-after": "3" } } : {};
      return Response.json({ message: "refused on purpose", code, ...more }, { status, ...headers });
    });
  }

  async #set(key: string): Promise<void> {
    // The write may be one that breaks.
    await this.world.change({ key, value: this.#pick(SETTINGS[key] ?? [null]) }).catch(() => {});
  }

  /** Mostly a moment, rarely longer than a token is valid. */
  #pause(): number {
    const random = this.#random();
    if (random < 0.6) return this.#random() * 1500;
    if (random < 0.9) return this.#random() * 15_000;
    return random < 0.97 || !this.#hasBot ? 70_000 : this.#pick([13.5, 40]) * MINUTE_MS;
  }

  #words(): string {
    return `n${this.#step} ${this.#pick(Object.keys(ANSWERS))}`;
  }

  #shownTo(as: string, { channelId } = this.world): LocalMessage[] {
    return this.world.discord.messages(channelId, as).filter(({ failed }) => failed === undefined);
  }

  get #objects(): FaultHarness[] {
    return this.#threads?.objects() ?? [this.world];
  }

  /** The channel, or half of the time one of its threads. */
  #somewhere(): FaultHarness {
    const [, ...threads] = this.#objects;
    const isThere = threads.length > 0 && this.#placing() < 0.5;
    return (isThere ? threads[Math.floor(this.#placing() * threads.length)] : null) ?? this.world;
  }

  async #doesSomething(as: string): Promise<void> {
    const where = this.#somewhere();
    const { discord, channelId: channel } = where;
    const bots = this.#shownTo(as, where).filter(({ author, ephemeral }) => author.bot && !ephemeral);
    const chance = this.#random();
    if (chance < 0.25) {
      const more = {
        ...(this.#random() < 0.1 && { thread: true }),
        ...(this.#random() < 0.3 && { persona: this.#pick(["Ada", "Bob"]) }),
        ...(this.#random() < 0.1 && { file: { attachment: this.#file() } }),
      };
      return this.#does(as, { kind: "command", name: "chat", options: { message: this.#words(), ...more } }, where);
    }
    // Without the bot's token there is no gateway.
    if (chance < 0.42 && this.#hasBot) {
      const replyTo = this.#random() < 0.3 && bots.length > 0 ? { replyTo: this.#pick(bots).id } : {};
      const content = this.#random() < 0.2 ? this.#words() : `${BOT} ${this.#words()}`;
      const file = this.#random() < 0.2 ? { file: this.#file() } : {};
      const written = discord.write({ as, channel, content, ...replyTo, ...file });
      // Nobody can reply to a deleted message.
      if (written.ok) this.#written.push([written.messageId, as]);
      return;
    }
    if (chance < 0.5 && this.#written.length > 0) {
      const [messageId, by] = this.#pick(this.#written);
      const content = `${BOT} ${this.#words()}`;
      return void discord.touch({
        as: by,
        messageId,
        ...(chance < 0.46 ? { kind: "edit", content } : { kind: "delete" }),
      });
    }
    if (chance < 0.52 && bots.length > 0)
      return void discord.touch({ kind: "delete", as: this.#present[0] ?? as, messageId: this.#pick(bots).id });
    if (chance < 0.76) return this.#clicks(as, where);
    if (chance < 0.84) return this.#does(as, this.#pick(COMMANDS), where);
    if (chance < 0.88) {
      const options = { personas: this.#pick(["Ada,Bob", "Ada,Bob,Ada", "Bob"]), prompt: this.#words() };
      return this.#does(as, { kind: "command", name: "scene", options }, where);
    }
    if (chance < 0.9 && bots.length > 0)
      return this.#does(as, { kind: "message-command", name: "Ask about this", messageId: this.#pick(bots).id }, where);
    if (chance < 0.95) return this.#set(this.#pick(Object.keys(SETTINGS)));
    where.restart();
  }

  /** A button on the newest message that has one, or on any. */
  async #clicks(as: string, where: FaultHarness): Promise<void> {
    const buttons = this.#shownTo(as, where).flatMap(({ id, components }) =>
      buttonsOf(components).map(({ custom_id }) => [id, custom_id] as const),
    );
    const chosen = this.#random() < 0.5 ? buttons.at(-1) : this.#pick(buttons);
    if (chosen) await this.#does(as, { kind: "click", messageId: chosen[0], customId: chosen[1] ?? "" }, where);
  }

  #file(): PickedFile {
    const kinds = [
      ["notes.txt", "text/plain"],
      ["parrot.png", "image/png"],
      ["archive.zip", "application/zip"],
    ] as const;
    const [filename, contentType] = this.#pick(kinds);
    return { filename, contentType, text: "x".repeat(this.#pick([10, 1000, 70_000])) };
  }

  async #does(as: string, act: Act, where = this.world): Promise<void> {
    const { seen } = await this.world.during(this.world.discord.interact({ ...act, as, channel: where.channelId }));
    if (seen === "modal") {
      const files = this.#random() < 0.5 ? [this.#file()] : [];
      return this.#does(
        as,
        { kind: "submit", customId: "ask-long", fields: { question: this.#words(), files } },
        where,
      );
    }
    if (this.#isCalm && (seen === "failed" || seen === "pending"))
      this.#found.push(`no answer to ${JSON.stringify(act)}`);
  }

  async #pass(ms: number): Promise<void> {
    const until = this.world.clock.now() + ms;
    const { clock } = this.world;
    if (!this.#threads) while (clock.now() < until && (await this.world.step(until)));
    else {
      while (clock.now() < until && (await this.#threads.step(until)));
      await clock.advance(Math.max(0, until - clock.now()));
    }
  }

  async #rest(): Promise<void> {
    const hasWork = () => this.#objects.some((one) => one.hasWork());
    for (let rests = 0; rests < MAX_RESTS && hasWork(); rests++) await this.#pass(REST_MS);
  }

  /**
   * Finds words of the model that are in two messages. If a followup's answer is lost, the first message gets the whole answer, and the
   * followup may be there too. A scene's header has all words of a speaker whose message has only some of them.
   */
  #saidTwice(): string[] {
    if (this.#chances.faults + this.#chances.deaths > 0) return [];
    const words = this.#shownTo(this.#manager)
      .filter(({ author, content }) => author.bot && !/^-# Scene: /m.test(content))
      .flatMap(({ content }) => content.match(/(\w+ )?\w+ (of )?\[\d+\]/g) ?? []);
    return words.filter((one, index) => words.indexOf(one) !== index).map((one) => `said twice: ${one}`);
  }

  /** Refusals that only their askers may see. If a turn never began, no record says whether a reminder asked. */
  #readByAll(): string[] {
    const { channelId, discord, database } = this.world;
    if (!this.#isCalm) return [];
    const refused = database.sql
      .exec("SELECT record FROM turns WHERE state = 'finished'")
      .toArray()
      .map(({ record }) => readTurnText(String(record)))
      .filter((turn) => turn.startedAt !== null && isRefusedAlone(turn));
    const told = new Set(refused.flatMap(({ parts }) => parts.map(({ id }) => id)));
    const read = discord.messages(channelId, "nobody").filter(({ id, ephemeral }) => !ephemeral && told.has(id));
    return read.map(({ content }) => `read by all: ${content.slice(0, 100)}`);
  }

  /** Finds what still looks as if something were under way. If requests are lost, a message may exist that nobody can reach. */
  #leftBelow(): string[] {
    if (!this.#hasBot || !this.#isCalm) return [];
    const seen = (as: string) => this.#objects.flatMap((one) => this.#shownTo(as, one));
    return this.#present.flatMap((as) =>
      seen(as).flatMap(({ author, content, components, loading, ephemeral }) => {
        // Only the interaction's token reaches what one person sees, and a scene's header whose message id only an earlier life knew.
        if (!author.bot || ephemeral || content.startsWith("-# Scene")) return [];
        const labels = buttonsOf(components).map(({ label = "" }) => label);
        if (labels.includes("Continue")) return [];
        const isLeft = labels.some((label) => label === "Stop" || label === "Approve") || hasWorkLine(content);
        return loading || isLeft ? [`left for ever: ${content.slice(0, 100)} ${labels.join()}`] : [];
      }),
    );
  }
}

type Row = { components?: { label?: string; custom_id?: string }[] };

const buttonsOf = (rows: readonly unknown[]) =>
  (rows as readonly Row[])
    .flatMap(({ components = [] }) => components)
    .filter(({ custom_id }) => custom_id !== undefined);
