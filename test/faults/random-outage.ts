// A week in a channel, by chance, during which Discord often does not do what it is asked: people ask by message and by command, set
// reminders and tasks, click on whatever they see, and are forgotten, while lives end and Discord is in one of eight outages. Then all is well again, and
// after a day outage-rules.ts looks at what Discord shows. A week comes out the same whenever its seed is the same, but for what the
// program does.
import { SILENCE_AFTER_REFUSAL_MS } from "../../src/core/limits.ts";
import { nextOccurrence } from "../../src/core/time/occurrence.ts";
import { readRule } from "../../src/core/time/recurrence.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { BOT } from "../support/message-harness.ts";
import {
  createOutageHarness,
  type Outage,
  type OutageHarness,
  passForgetfully,
  renew,
} from "../support/outage-harness.ts";
import type { Answer } from "../support/scripted-model.ts";
import { type AnswerRecord, findBroken, findHaste, findTheirs, markIn, textOf, turnsOf } from "./outage-rules.ts";
import { seededRandom } from "./plan.ts";
import { watchRejections } from "./stage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS = 24;
/** After so long all that was late is there, and each reminder has come. */
const REST_MS = 32 * HOUR_MS;
/** Then nothing happens any more. */
const QUIET_MS = 2 * HOUR_MS;
/** The harness lets only so much happen at once. */
const AT_ONCE_MS = 10 * MINUTE_MS;
/** An object does not leave memory within less. */
const FORGETFUL_MS = 5 * MINUTE_MS;
/** How long each outage lasts at most. One in which requests are repeated all the time is short, so that a week is. */
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
/** Somebody keeps the bot out: what is said meanwhile may be shown to nobody. */
const SHUT: ReadonlySet<Outage> = new Set(["closed", "muted", "locked"]);
/** Requests are repeated as long as there is something to show: at each heartbeat, and for each answer. */
const REPEATING: ReadonlySet<Outage> = new Set(["down", "failing", "loses", "limits"]);
/** What a person's next question does while their answer is written; some weeks have one that isn't `queue`. */
const FOLLOW_UPS = ["queue", "queue", "queue", "interrupt", "steer"] as const;
/** A next question comes so soon. */
const SOON_MS = [300, 3000, 20_000];
/** Whoever has more that wait is refused soon. Below a message that is said once, and nobody hears it during an outage. */
const MOST_WAITING = 2;
const PAUSES_MS = [300, 3000, 20_000, 5 * MINUTE_MS, 20 * MINUTE_MS, 2 * HOUR_MS, 9 * HOUR_MS];
/** A question ends with one of these words, and is answered so. */
const KINDS = ["briefly", "slowly", "long", "longest", "dangerously"] as const;
const TASKS = ["every day", "every 30 minutes", "every 2 hours"] as const;
const PARAGRAPHS: Readonly<Record<string, number>> = { long: 70, longest: 400 };
/** However long it is, an answer comes in at most so many pieces. */
const PIECES = 80;

/** Plays the week. Returns what does not hold, in words. */
export async function playWeek(seed: number): Promise<string[]> {
  const week = await Week.begin(seed);
  const restore = watchRejections(week.harness.world);
  try {
    return await week.play();
  } catch (error) {
    return [`the week broke: ${error instanceof Error ? (error.stack ?? error.message) : error}`];
  } finally {
    week.harness.world.restart();
    restore();
  }
}

class Week {
  readonly harness: OutageHarness;
  readonly #random: () => number;
  readonly #hasPersona: boolean;
  readonly #followUp: (typeof FOLLOW_UPS)[number];
  readonly #people: readonly string[];
  readonly #outages: typeof OUTAGES;
  readonly #forgets: boolean;
  /** By the mark that stands in the question. */
  readonly #asked = new Map<string, AnswerRecord>();
  readonly #said: string[] = [];
  readonly #found: string[] = [];
  #present: Outage = "up";
  /** When the present outage is over. */
  #endsAt = 0;
  /** For a while after the bot was kept out nothing begins. */
  #silentUntil = 0;
  #marks = 0;

  static async begin(seed: number): Promise<Week> {
    const random = seededRandom(seed * 7919);
    const channelId = [PLACES.general, PLACES.general, PLACES.thread, PLACES.dmOfMira][Math.floor(random() * 4)];
    const followUp = FOLLOW_UPS[seed % FOLLOW_UPS.length] ?? "queue";
    const harness: OutageHarness = await createOutageHarness({
      ...(channelId && { channelId }),
      settings: { turns_per_minute: "0", follow_up: followUp },
      answerTo: followUp === "steer" ? (request) => answerToAll(harness.world, request) : answerTo,
    });
    const hasPersona = seed % 3 === 0 && channelId !== PLACES.dmOfMira;
    if (hasPersona) {
      await harness.use(PEOPLE.juno, "persona create", { name: "Rex", prompt: "Be brief." });
      await harness.use(PEOPLE.juno, "persona use", { name: "Rex" });
    }
    return new Week(harness, random, hasPersona, followUp, seed % 4 === 3);
  }

  private constructor(
    harness: OutageHarness,
    random: () => number,
    hasPersona: boolean,
    followUp: (typeof FOLLOW_UPS)[number],
    forgets: boolean,
  ) {
    this.#forgets = forgets;
    this.harness = harness;
    this.#hasPersona = hasPersona;
    this.#followUp = followUp;
    this.#random = random;
    const isDirect = harness.world.channelId === PLACES.dmOfMira;
    // Nobody can lock a direct message, or take the right to write there.
    this.#outages = isDirect ? OUTAGES.filter(([outage]) => !SHUT.has(outage)) : OUTAGES;
    this.#people = isDirect ? [PEOPLE.mira] : [PEOPLE.mira, PEOPLE.theo];
  }

  async play(): Promise<string[]> {
    const { harness } = this;
    const { world } = harness;
    await this.#ask("command", this.#pick(this.#people));
    await harness.rest();
    for (let step = 0; step < STEPS; step++) {
      await this.#happens();
      await this.#pass(this.#pick(PAUSES_MS));
    }
    this.#becomes("up");
    // Mostly the last life has to find its way back by itself.
    if (this.#random() < 0.3) renew(harness);
    await this.#pass(REST_MS);
    for (const { number } of world.database.sql.exec("SELECT number FROM reminders").toArray())
      await harness.use(PEOPLE.mira, "reminders cancel", { number: Number(number) });
    await this.#pass(HOUR_MS);
    const before = world.alarms.length;
    await this.#pass(QUIET_MS);
    if (world.alarms.length > before)
      this.#found.push(`${world.alarms.length - before} alarms although nothing happens`);
    const broken = [...this.#found, ...findBroken(harness, [...this.#asked.values()])];
    return broken.length === 0 ? [] : [...broken, `(${harness.world.channelId}: ${this.#said.join(", ")})`];
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  /** Time passes; an outage ends by itself. An object without work leaves memory, or is kept. */
  async #pass(ms: number): Promise<void> {
    const { clock } = this.harness.world;
    // Whoever waits for a receipt holds the object in memory.
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
    this.#found.push(...findHaste(rates, REPEATING.has(this.#present), this.#asked.size));
  }

  async #passAwake(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= AT_ONCE_MS) await this.harness.pass(Math.min(left, AT_ONCE_MS));
  }

  #becomes(outage: Outage, ms = 0): void {
    const { harness } = this;
    this.#said.push(outage);
    if (SHUT.has(this.#present)) this.#silentUntil = harness.world.clock.now() + SILENCE_AFTER_REFUSAL_MS;
    // A good token comes with a deploy.
    if (outage === "up" && this.#present === "refuses") renew(harness);
    this.#present = outage;
    this.#endsAt = harness.world.clock.now() + ms;
    harness.become(outage);
    if (SHUT.has(outage)) for (const one of this.#asked.values()) one.isShut = one.isShut || !this.#isShown(one);
  }

  #isShown({ mark }: AnswerRecord): boolean {
    return this.#shown().some((message) => textOf(message).includes(`E${mark}`));
  }

  #shown(): LocalMessage[] {
    const { discord, channelId } = this.harness.world;
    return discord.messages(channelId, PEOPLE.mira).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  }

  async #happens(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.4) return this.#askOften(chance < 0.2 ? "message" : "command");
    if (chance < 0.55) return this.#remind();
    if (chance < 0.75) {
      const [outage, longestMs] = this.#pick(this.#outages);
      return this.#becomes(outage, this.#random() * longestMs);
    }
    if (chance < 0.8) return this.#becomes("up");
    if (chance < 0.9) return this.#click();
    if (chance < 0.95 && this.#forgets) return this.#forget(this.#pick(this.#people));
    if (this.harness.door.open() > 0) return;
    this.#said.push("a death");
    this.harness.world.restart();
  }

  /** Where a next question does something to the answer that is written, more of them come. */
  async #askOften(how: "message" | "command"): Promise<void> {
    const as = this.#pick(this.#people);
    await this.#ask(how, as);
    while (this.#followUp !== "queue" && this.#random() < 0.5) {
      await this.#pass(this.#pick(SOON_MS));
      await this.#ask(this.#pick(["message", "command"] as const), as);
    }
  }

  #waiting = (as: string) =>
    turnsOf(this.harness.world.database).filter(({ state, request }) => state === "queued" && request.userId === as)
      .length;

  async #ask(wanted: "message" | "command", as: string): Promise<void> {
    const { world } = this.harness;
    const how = this.#waiting(as) >= MOST_WAITING ? "command" : wanted;
    const record = this.#note("Q");
    record.mayBeginTwice = this.#hasPersona && how === "command";
    const text = `${record.mark} ${this.#pick(KINDS)}`;
    this.#said.push(`${how} ${text}`);
    if (how === "message") this.harness.write(as, `${BOT} ${text}`);
    else {
      const used = { kind: "command", as, channel: world.channelId, name: "chat", options: { message: text } } as const;
      const { seen } = await world.during(world.discord.interact(used));
      // Whoever is refused is told so at once.
      if (seen !== "thinking") this.#asked.delete(record.mark);
    }
  }

  #note(kind: AnswerRecord["kind"]): AnswerRecord {
    const record: AnswerRecord = {
      mark: `${kind}${++this.#marks}X`,
      kind,
      isShut: SHUT.has(this.#present) || this.harness.world.clock.now() < this.#silentUntil,
      changes: 0,
      isForgotten: false,
      isErased: false,
      wasInterrupted: false,
      mayBeginTwice: false,
    };
    this.#asked.set(record.mark, record);
    return record;
  }

  async #remind(): Promise<void> {
    const { harness } = this;
    const { world } = harness;
    await harness.use(this.#pick(this.#people), "bot status");
    const every = this.#random() < 0.3 ? this.#pick(TASKS) : null;
    // Whoever asked last sets it, and they may be forgotten.
    if (turnsOf(world.database).length === 0) return;
    const record = this.#note(every ? "T" : "R");
    const rule = every === null ? null : readRule(every, world.now(), "UTC");
    const ms = rule?.ok ? nextOccurrence(rule.rule, world.now()) - world.now() : MINUTE_MS + this.#random() * DAY_MS;
    this.#said.push(`remind ${record.mark} ${every ?? ""} in ${Math.round(ms / 1000)} s`);
    const isSet = harness.remind(record.mark, ms, rule?.ok ? { repeats: { rule: rule.rule, every } } : {});
    if (!isSet) this.#asked.delete(record.mark);
  }

  /** Somebody has all forgotten that is kept about them. What is over then leaves no word behind; the rest stays, and comes. */
  async #forget(as: string): Promise<void> {
    const { world } = this.harness;
    this.#said.push(`${as} is forgotten`);
    for (const record of findTheirs(world.database, as, this.#asked)) {
      record.isForgotten = record.isForgotten || !this.#isShown(record);
    }
    for (const { state, status, request } of turnsOf(world.database)) {
      const record = this.#asked.get(markIn(request.text) ?? "");
      const isOver = ["finished", "closing"].includes(state) && status !== "steered";
      if (record?.kind !== "Q" || request.userId !== as || !isOver) continue;
      record.isErased = true;
      record.wasInterrupted = status === "follow_up_interrupt";
    }
    const here = { as, channel: world.channelId } as const;
    const used = { ...here, kind: "command", name: "privacy", subcommand: "forget" } as const;
    const { messageId = "" } = await world.during(world.discord.interact(used));
    const click = { ...here, kind: "click", messageId, customId: `forget:${as}` } as const;
    await world.during(world.discord.interact(click));
  }

  /** A button on the newest message that has one, or on any. */
  async #click(): Promise<void> {
    const { world } = this.harness;
    const buttons = this.#shown().flatMap(({ id, components }) =>
      buttonsOf(components).map(({ custom_id: customId = "", label = "" }) => ({ id, customId, label })),
    );
    const chosen = this.#random() < 0.6 ? buttons.at(-1) : this.#pick(buttons);
    if (!chosen) return;
    const { id, customId, label } = chosen;
    const records = this.#recordsOf(customId);
    this.#said.push(`${label} of ${records.map(({ mark }) => mark).join("+")}`);
    if (label !== "Approve" && label !== "Continue") for (const record of records) record.changes++;
    const click = { kind: "click", as: PEOPLE.mira, channel: world.channelId, messageId: id, customId } as const;
    await world.during(world.discord.interact(click));
  }

  /** The questions of the turn that a button names: its own, and those that joined it. */
  #recordsOf(customId: string): AnswerRecord[] {
    const turnId = customId.split(":")[1] ?? "";
    const meant = turnsOf(this.harness.world.database).filter(({ id, steers }) => id === turnId || steers === turnId);
    return meant.flatMap(({ request }) => this.#asked.get(markIn(request.text) ?? "") ?? []);
  }
}

/** Begins with `A` and the mark and ends with `E` and the mark; each paragraph between has a number. */
function answerTo({ messages }: ModelRequest): Answer {
  return answerToText(messages, messages.findLast(({ role }) => role === "user")?.text ?? "");
}

/** Answers each question of the running turn: more may have joined it. */
function answerToAll({ database }: OutageHarness["world"], request: ModelRequest): Answer {
  const turns = turnsOf(database);
  const running = turns.find(({ state }) => state === "running");
  const marks = turns.flatMap(({ id, steers, status, request: { text } }) =>
    running && (id === running.id || (steers === running.id && status === "steered")) ? [markIn(text)] : [],
  );
  const { messages } = request;
  const questions = messages.filter(({ role, text }) => role === "user" && marks.includes(markIn(text)));
  // It is asked for notes.
  if (questions.length === 0) return answerTo(request);
  const answers = questions.map(({ text }) => answerToText(messages, text));
  const asksTool = answers.find(({ calls }) => calls);
  return asksTool ?? { ...answers.at(-1), texts: answers.flatMap(({ texts = [] }) => texts) };
}

function answerToText(messages: ModelRequest["messages"], text: string): Answer {
  const mark = markIn(text) ?? "none";
  const kind = /(\w+)\W*$/.exec(text)?.[1] ?? "";
  if (kind === "dangerously" && messages.at(-1)?.role !== "tool")
    return { texts: ["Let me see."], calls: [{ name: "purge", args: { note: mark } }] };
  const count = PARAGRAPHS[kind] ?? 1;
  const paragraphs = Array.from({ length: count }, (_, n) => `${n}P${mark} ${"lorem ipsum ".repeat(7)}\n\n`);
  const size = Math.ceil(count / PIECES);
  const pieces = paragraphs.flatMap((_, n) => (n % size === 0 ? [paragraphs.slice(n, n + size).join("")] : []));
  return { texts: [`A${mark} `, ...pieces, `E${mark}`], ...(kind === "slowly" && { pauseMs: 20_000 }) };
}

interface Row {
  components?: { label?: string; custom_id?: string }[];
}
const buttonsOf = (rows: readonly unknown[]) =>
  (rows as readonly Row[])
    .flatMap(({ components = [] }) => components)
    .filter(({ custom_id }) => custom_id !== undefined);
