// The people of a random week: what they can do, and what must become of the questions, reminders and tasks that they create or change.
// random-outage.ts decides when they act and what Discord does meanwhile.
import type { TurnRecord } from "../../src/core/state/record.ts";
import { nextOccurrence } from "../../src/core/time/occurrence.ts";
import { readRule } from "../../src/core/time/recurrence.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { FaultHarness } from "../support/fault-harness.ts";
import { BOT, labels } from "../support/message-harness.ts";
import type { OutageHarness } from "../support/outage-harness.ts";
import {
  type AnswerRecord,
  type Decisions,
  findTheirs,
  isOfAny,
  markIn,
  markOf,
  marksIn,
  questionIn,
  textOf,
  turnsOf,
} from "./outage-rules.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** People with more waiting questions are soon refused. For a message that is said only once, and during an outage nobody sees it. */
const MOST_WAITING = 2;
/** The personas of scenes. */
export const SPEAKERS = ["Cyd", "Ada", "Bob"] as const;
const TASKS = ["every day", "every 30 minutes", "every 2 hours"] as const;

/** What the people need of their week. */
export interface Around {
  harness: OutageHarness;
  random: () => number;
  /** A persona answers, and has a voice of its own. */
  hasPersona: boolean;
  /** Some people ask for an answer in a thread of its own. */
  hasThreads: boolean;
  /** People also ask and click in these threads. */
  livesInThreads: boolean;
  /** The last words of questions, and of scenes. */
  kinds: readonly string[];
  sceneKinds: readonly string[];
  /** Whether nothing can be shown to anybody now. */
  isShut: () => boolean;
  /** Logs what is done, for a reader of the week. */
  say: (what: string) => void;
}

/** The people and what they have asked for. */
export class WeekPeople {
  readonly #around: Around;
  readonly #everybody: readonly string[];
  /** The records by the mark in the question. */
  readonly #asked = new Map<string, AnswerRecord>();
  /** How each call that needed an approval was first decided, by its turn. */
  readonly decisions: Decisions = new Map();
  /** What people tried to do and could not. */
  readonly faults: string[] = [];
  #marks = 0;

  constructor(around: Around) {
    this.#around = around;
    this.#everybody = around.harness.world.channelId === PLACES.dmOfMira ? [PEOPLE.mira] : [PEOPLE.mira, PEOPLE.theo];
  }

  /** What must become of everything that was asked for. */
  get records(): AnswerRecord[] {
    return [...this.#asked.values()];
  }

  /** Picks one of the people. */
  anybody(): string {
    return this.#pick(this.#everybody);
  }

  async ask(wanted: "message" | "command", as: string, kind = this.#pick(this.#around.kinds)): Promise<void> {
    const { harness, say, hasPersona, hasThreads, random } = this.#around;
    const { world } = harness;
    const where = this.somewhere();
    const channel = where.channelId;
    const how = this.#waiting(as, where) >= MOST_WAITING ? "command" : wanted;
    const record = this.#note("Q", where);
    record.mayBeginTwice = hasPersona && how === "command";
    const text = `${record.mark} ${kind}`;
    say(`${how} ${text}${this.placeOf(where)}`);
    if (how === "message") record.message = { id: harness.write(as, `${BOT} ${text}`, { channel }), by: as };
    else {
      const thread = hasThreads && where === world && random() < 0.5;
      const options = { message: text, ...(thread && { thread }) };
      const used = { kind: "command", as, channel, name: "chat", options } as const;
      const { seen } = await world.during(world.discord.interact(used));
      // A refusal is shown at once.
      if (seen !== "thinking") this.#asked.delete(record.mark);
    }
  }

  /** Lets somebody delete or edit their question, mostly an unanswered one. Turns that have ended stay, and turns that have begun continue. */
  async takeBack(how: "delete" | "edit"): Promise<void> {
    const { harness, say, random } = this.#around;
    const { world, door } = harness;
    const written = this.records.filter(({ message, unasked }) => message && !unasked);
    const late = written.filter((record) => !this.isShown(record));
    const record = this.#pick(random() < 0.8 ? late : written);
    if (!record?.message) return;
    const { id: messageId, by: as } = record.message;
    // A thread stores a question's turn under its message's id too.
    const find = () => this.allTurns().findLast(({ id }) => id === messageId);
    const before = find();
    say(`${how} ${record.mark}, ${before?.state}`);
    const other = how === "edit" ? this.#note("Q") : null;
    const content = `${BOT} ${other?.mark} ${this.#pick(this.#around.kinds)}`;
    if (other) Object.assign(other, { message: record.message, isShut: other.isShut || record.isShut });
    world.discord.touch(other ? { kind: "edit", as, messageId, content } : { kind: "delete", as, messageId });
    do await harness.pass(1000);
    while (door.open() > 0);
    const after = find();
    const isRead = after !== undefined && other !== null && markIn(after.request.text) === other.mark;
    const requests = harness.objects().flatMap((one) => one.requests);
    const wasAsked = requests.some((request) => questionIn(request).mark === record.mark);
    const isOver = before ? before.state === "finished" || after?.status === "steered" : wasAsked;
    if (isRead) record.unasked = true;
    else if (other) other.unasked = true;
    else if (!isOver && !wasAsked && (after?.startedAt ?? null) === null) record.unasked = true;
    else if (!isOver) for (const one of this.#recordsOf(messageId)) one.isTakenBack = true;
    const isWaiting = (turn: TurnRecord | undefined) =>
      turn?.state === "queued" && turn.startedAt === null && !turn.request.beginsThread;
    if (other && !isRead && isWaiting(before) && isWaiting(after)) this.faults.push(`${other.mark} was not read`);
  }

  /** Lets several personas speak, each with words of its own. */
  async playScene(as: string): Promise<void> {
    const { harness, say, random } = this.#around;
    const { world } = harness;
    const speakers = SPEAKERS.slice(random() < 0.5 ? 1 : 0);
    const records = speakers.map(() => Object.assign(this.#note("Q"), { mayBeginTwice: true, isSpeaker: true }));
    const kind = this.#pick(this.#around.sceneKinds);
    // While a speaker waits for an approval, others speak before it.
    if (kind !== "dangerously")
      for (const [index, record] of records.entries()) Object.assign(record, { after: records[index - 1]?.mark });
    const lines = speakers.map((name, index) => `${name}:${records[index]?.mark}`);
    const prompt = `${lines.join(" ")} ${kind}`;
    say(`scene ${prompt}`);
    const options = { personas: speakers.join(), prompt };
    const used = { kind: "command", as, channel: world.channelId, name: "scene", options } as const;
    const { seen } = await world.during(world.discord.interact(used));
    if (seen !== "thinking") for (const { mark } of records) this.#asked.delete(mark);
  }

  async remind(): Promise<void> {
    const { harness, random, say } = this.#around;
    const { world } = harness;
    const where = this.somewhere();
    await this.#use(this.anybody(), { name: "bot", subcommand: "status" }, where);
    const every = random() < 0.3 ? this.#pick(TASKS) : null;
    // It is set for whoever asked last, who may have been forgotten.
    if (turnsOf(where.database).length === 0) return;
    const record = this.#note(every ? "T" : "R", where);
    const rule = every === null ? null : readRule(every, world.now(), "UTC");
    const ms = rule?.ok ? nextOccurrence(rule.rule, world.now()) - world.now() : MINUTE_MS + random() * DAY_MS;
    say(`remind ${record.mark} ${every ?? ""} in ${Math.round(ms / 1000)} s${this.placeOf(where)}`);
    const isSet = harness.remind(record.mark, ms, rule?.ok ? { repeats: { rule: rule.rule, every } } : {}, where);
    if (!isSet) this.#asked.delete(record.mark);
  }

  /** Lets somebody have everything about them forgotten. Ended turns leave no words behind; everything else stays and comes. */
  async forget(as: string): Promise<void> {
    const { harness, livesInThreads } = this.#around;
    const { world } = harness;
    this.#around.say(`${as} is forgotten`);
    const [, ...threads] = harness.objects();
    for (const one of livesInThreads ? [world, ...threads] : [world]) {
      for (const record of findTheirs(one.database, as, this.#asked))
        record.isForgotten = record.isForgotten || !this.isShown(record);
      this.#erase(one, ({ request }) => request.userId === as);
    }
    const here = { as, channel: world.channelId } as const;
    const used = { ...here, kind: "command", name: "privacy", subcommand: "forget" } as const;
    const { messageId = "" } = await world.during(world.discord.interact(used));
    const click = { ...here, kind: "click", messageId, customId: `forget:${as}` } as const;
    await world.during(world.discord.interact(click));
    if (livesInThreads) for (const one of threads) await one.forgetPerson(as);
  }

  /** Resets the conversation: ended turns leave no words behind, and late answers may be missing. Everything else stays and comes. */
  async reset(): Promise<void> {
    const where = this.somewhere();
    this.#around.say(`reset${this.placeOf(where)}`);
    for (const record of this.#erase(where, () => true)) {
      record.isForgotten = record.isForgotten || !this.isShown(record);
      record.newerThan ??= this.#marks;
    }
    await this.#use(PEOPLE.mira, { name: "bot", subcommand: "reset" }, where);
  }

  /** Records that nothing may be left of the ended ones among these turns. Returns their questions. One that is being asked again has not ended. */
  #erase({ channelId, database }: FaultHarness, isMeant: (turn: TurnRecord) => boolean): AnswerRecord[] {
    const turns = turnsOf(database);
    // A turn that waits for its thread has not begun.
    const isOver = ({ state, threadSince }: TurnRecord) =>
      state === "finished" || (state === "closing" && threadSince === undefined);
    const open = new Set(turns.flatMap((turn) => (isOver(turn) ? [] : marksIn(turn.request.text))));
    return turns.flatMap((turn) => {
      const record = this.#asked.get(markOf(turn) ?? "");
      const isLeft = !isOver(turn) || turn.status === "steered" || open.has(record?.mark ?? "");
      if (record?.kind !== "Q" || isLeft || !isMeant(turn)) return [];
      record.erasedIn.push(channelId);
      record.wasInterrupted = turn.status === "follow_up_interrupt";
      return [record];
    });
  }

  /** A button on the newest message that has one, or on any. */
  async click(): Promise<void> {
    const buttons = this.#buttons();
    const chosen = this.#around.random() < 0.6 ? buttons.at(-1) : this.#pick(buttons);
    if (chosen) await this.#press(PEOPLE.mira, chosen);
  }

  /** Lets somebody approve or deny their newest waiting call. */
  async decide(as: string): Promise<void> {
    const label = this.#pick(["Approve", "Deny"]);
    const turns = this.allTurns();
    const theirs = this.#buttons().filter(
      (button) => button.label === label && turns.find(({ id }) => id === button.turnId)?.request.userId === as,
    );
    const chosen = theirs.at(-1);
    if (chosen) await this.#press(as, chosen);
  }

  /** From now on nothing can be shown to anybody, and no answer under way can be finished. */
  shut(records = this.records): void {
    const open = this.#everywhere().filter(({ components }) => labels(components).includes("Stop"));
    const isOpen = (record: AnswerRecord) =>
      open.some((message) => textOf(message).includes(record.mark) || isOfAny(message, [record]));
    for (const one of records) one.isShut = one.isShut || !this.isShown(one) || isOpen(one);
  }

  /** All buttons. Those of the channel come last, or those of a thread. */
  #buttons(): Button[] {
    const places = this.#around.livesInThreads ? this.threads().sort(() => this.#around.random() - 0.5) : [];
    const { world } = this.#around.harness;
    const isLast = places.length === 0 || this.#around.random() < 0.5;
    const shown = (isLast ? [...places, world] : [world, ...places]).flatMap(({ channelId }) => this.shown(channelId));
    return shown.flatMap(({ id: messageId, channelId, components }) =>
      buttonsOf(components).map(({ custom_id: customId = "", label = "" }) => {
        return { messageId, channelId, customId, label, turnId: customId.split(":")[1] ?? "" };
      }),
    );
  }

  async #press(as: string, { messageId, channelId: channel, customId, label, turnId }: Button): Promise<void> {
    const { world } = this.#around.harness;
    const records = this.#recordsOf(turnId);
    this.#around.say(`${label} of ${records.map(({ mark }) => mark).join("+")}`);
    if (label !== "Continue" && !isDecision(label)) for (const record of records) record.changes++;
    // Mira moderates, so she may decide about everybody's.
    if (isDecision(label) && !this.decisions.has(turnId)) this.decisions.set(turnId, label);
    await world.during(world.discord.interact({ kind: "click", as, channel, messageId, customId }));
  }

  #use(as: string, command: { name: string; subcommand: string }, { channelId: channel }: FaultHarness) {
    const { world } = this.#around.harness;
    return world.during(world.discord.interact({ kind: "command", as, channel, ...command }));
  }

  /** How many questions, reminders and tasks there are. */
  get marks(): number {
    return this.#marks;
  }

  /** The channel, or mostly one of the threads if people talk there. */
  somewhere(): FaultHarness {
    const { harness, livesInThreads, random } = this.#around;
    const threads = livesInThreads ? this.threads() : [];
    return threads.length > 0 && random() < 0.6 ? this.#pick(threads) : harness.world;
  }

  /** The threads that are not deleted. */
  threads(): FaultHarness[] {
    const { closed, objects } = this.#around.harness;
    const [, ...threads] = objects();
    return threads.filter(({ channelId }) => closed.get(channelId) !== "deleted");
  }

  /** Which thread it is, for the log. */
  placeOf(where: FaultHarness): string {
    const index = this.threads().indexOf(where);
    return index < 0 ? "" : ` in thread ${index}`;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#around.random() * items.length)] as Item;
  }

  #waiting(as: string, { database }: FaultHarness): number {
    const turns = turnsOf(database);
    return turns.filter(({ state, request }) => state === "queued" && request.userId === as).length;
  }

  #note(kind: AnswerRecord["kind"], { channelId } = this.#around.harness.world): AnswerRecord {
    const record: AnswerRecord = {
      mark: `${kind}${++this.#marks}X`,
      kind,
      isShut: this.#around.isShut() || this.#around.harness.closed.has(channelId),
      changes: 0,
      isForgotten: false,
      erasedIn: [],
      removed: [],
      wasInterrupted: false,
      mayBeginTwice: false,
    };
    this.#asked.set(record.mark, record);
    return record;
  }

  /** Whether the end of its answer can be read. */
  isShown({ mark }: AnswerRecord): boolean {
    return this.#everywhere().some((message) => textOf(message).includes(`E${mark}`));
  }

  /** What is shown in the channel and its threads. */
  #everywhere(): LocalMessage[] {
    return this.#around.harness.objects().flatMap(({ channelId }) => this.shown(channelId));
  }

  /** What the bot shows there. */
  shown(channelId = this.#around.harness.world.channelId): LocalMessage[] {
    const { discord } = this.#around.harness.world;
    return discord.messages(channelId, PEOPLE.mira).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  }

  /** The turns of the channel and its threads. */
  allTurns(): TurnRecord[] {
    return this.#around.harness.objects().flatMap(({ database }) => turnsOf(database));
  }

  /** The questions of a turn or of a scene: its own and those that joined it. */
  #recordsOf(turnId: string): AnswerRecord[] {
    const turns = this.allTurns();
    const named = turns.filter(({ id, request }) => id === turnId || request.scene?.id === turnId).map(({ id }) => id);
    const meant = turns.filter(({ id, steers }) => named.includes(id) || named.includes(steers ?? ""));
    return meant.flatMap((turn) => this.#asked.get(markOf(turn) ?? "") ?? []);
  }
}

interface Button {
  messageId: string;
  channelId: string;
  customId: string;
  label: string;
  /** The turn that it names. */
  turnId: string;
}

const isDecision = (label: string): label is "Approve" | "Deny" => label === "Approve" || label === "Deny";

interface Row {
  components?: { label?: string; custom_id?: string }[];
}
const buttonsOf = (rows: readonly unknown[]) =>
  (rows as readonly Row[])
    .flatMap(({ components = [] }) => components)
    .filter(({ custom_id }) => custom_id !== undefined);
