// What the people of a story do in a world whose ports break, and what they get to see. While a call hangs, somebody may check what
// the channel is doing and stop it.
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import type { Interact, Outcome, PickedFile } from "../../src/playground/discord/acts.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { answerTo } from "../crash/answers.ts";
import type { FaultHarness } from "../support/fault-harness.ts";
import { BOT } from "../support/gateway-door.ts";
import { hasWorkLine } from "../support/shown-answer.ts";
import { isLasting } from "./plan.ts";
import type { FaultStage } from "./stories.ts";

/** What people do while a call hangs. */
export type Meanwhile = "wait" | "stop" | "kill";

/** A question, and its answer in the end. */
export interface Asked {
  text: string;
  as: string;
  interactionId: string;
  messageId: string;
  /** The message that asked; its answer is a reply to it. */
  questionId?: string;
  at: number;
  /** When the answer had its final form; null before that. */
  endedAt: number | null;
}

const MINUTE_MS = 60_000;
/** A stopped turn must have ended after this time, whatever blocks it. */
const STOPPED_WITHIN_MS = 1000;
/** An answer that comes later than this was delayed. */
const AT_ONCE_MS = 100;
/** How long Discord waits for the answer to an interaction. */
const ANSWER_LIMIT_MS = 3000;
/** A run with more steps never becomes idle. */
const MAX_STEPS = 8000;

/** The people of one run. */
export class People {
  readonly asked: Asked[] = [];
  readonly violations: string[] = [];
  /** Questions whose answer somebody tried to change and could not. */
  readonly refused = new Set<string>();
  /** Questions whose answer somebody deleted. */
  readonly deleted = new Set<string>();
  readonly #world: FaultHarness;
  readonly #meanwhile: Meanwhile;
  /** Whether any turn has waited for a person's approval. */
  hasParked = false;
  #hasActed = false;
  #steps = 0;

  constructor(world: FaultHarness, meanwhile: Meanwhile) {
    this.#world = world;
    this.#meanwhile = meanwhile;
  }

  /** The actions of a story. */
  stage(): FaultStage {
    const world = this.#world;
    const find = (text: string) => this.asked.find((one) => one.text === text);
    const reply = (text: string) => {
      const one = find(text);
      return (one && this.reply(one)?.id) ?? "";
    };
    const content = (text: string) => `${BOT} ${text}`;
    const press = async (as: string, ofText: string, label: string) => {
      const shown = world.discord.messages(world.channelId, as).filter(({ id }) => id >= reply(ofText));
      const message = shown.findLast(({ components }) => buttonId(components, label) !== null) ?? shown[0];
      const customId = buttonId(message?.components ?? [], label) ?? `no button ${label}`;
      return this.#does({ kind: "click", as, channel: world.channelId, messageId: message?.id ?? "", customId });
    };
    return {
      world: {
        channelId: world.channelId,
        discord: { ...world.discord, interact: (input) => this.#does(input) },
        answers: () => world.answers(),
      },
      say: async (as, text, file) => void (await this.say(as, text, file)),
      write: async (as, text, file) => this.write(as, text, file),
      edit: async (as, ofText, text) => {
        const one = find(ofText);
        world.discord.touch({ kind: "edit", as, messageId: one?.questionId ?? "", content: content(text) });
        if (one) one.text = text;
      },
      remove: async (as, ofText) => {
        const one = find(ofText);
        if (one) this.asked.splice(this.asked.indexOf(one), 1);
        world.discord.touch({ kind: "delete", as, messageId: one?.questionId ?? "" });
      },
      use: async (as, command) => void (await this.#uses(as, command)),
      clickStop: async (as, ofText) => void (await press(as, ofText, "Stop")),
      decide: async (as, ofText, label) => void (await press(as, ofText, label)),
      press: async (as, ofText, label) => void (await press(as, ofText, label)),
      change: async (as, ofText, label) => {
        const one = find(ofText);
        const { ok, seen } = await press(as, ofText, label);
        if (label === "Delete") this.deleted.add(ofText);
        // A private sentence says why nothing changes, or there is no button yet.
        if (seen === "message" || seen === "impossible") this.refused.add(ofText);
        if (!one || !ok || seen === "message") return false;
        this.asked.splice(this.asked.indexOf(one), 1);
        const again = this.asked.at(-1);
        if (label === "Regenerate" && again) again.text = ofText;
        return true;
      },
      restart: () => world.restart(),
      expire: () => this.#pass(APPROVAL_LIFE_MS),
      pass: (ms) => this.#pass(ms),
      seen: (condition) => this.seen(condition),
    };
  }

  async say(as: string, message: string, file?: PickedFile): Promise<Outcome> {
    const { channelId: channel } = this.#world;
    const options = { message, ...(file && { file: { attachment: file } }) };
    return this.#does({ kind: "command", as, channel, name: "chat", options });
  }

  /** Writes a message that mentions the bot. */
  write(as: string, text: string, file?: PickedFile): void {
    const { discord, channelId: channel, clock } = this.#world;
    const questionId = discord.speak({ as, channel, content: `${BOT} ${text}`, ...(file && { file }) });
    this.asked.push({ text, as, interactionId: questionId, messageId: "", questionId, at: clock.now(), endedAt: null });
  }

  /** Waits until the condition is true, nothing is planned any more, or the longest time of a turn and a minute have passed. */
  async seen(condition: () => boolean, withinMs = this.#world.limits.turnDeadlineMs + MINUTE_MS): Promise<void> {
    const until = this.#world.clock.now() + withinMs;
    const isOver = async () => condition() || !(await this.#step(until)) || this.#world.clock.now() >= until;
    while (!(await isOver()));
  }

  /** Waits until nothing is planned, but at most as long as all turns and their approvals may take. */
  async rest(): Promise<void> {
    const { limits, clock } = this.#world;
    const turns = Math.max(1, this.asked.filter(({ endedAt }) => endedAt === null).length);
    const parkedMs = this.#world.answers().some((answer) => answer.includes("needs approval")) ? APPROVAL_LIFE_MS : 0;
    const until = clock.now() + turns * (limits.turnDeadlineMs + MINUTE_MS) + parkedMs;
    while ((await this.#step(until)) && clock.now() < until);
  }

  /** The message below a question as its asker sees it. */
  reply(one: Asked): LocalMessage | null {
    return answerTo(this.#world.discord.messages(this.#world.channelId, one.as), one) ?? null;
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#world.clock.now() + ms + 1;
    while ((await this.#step(until)) && this.#world.clock.now() < until);
    const { clock } = this.#world;
    if (clock.now() >= until) return;
    // Only the alarm that deletes old data is planned, and it is days away.
    await clock.advance(until - clock.now());
    await this.#step(until);
  }

  async #step(until: number): Promise<boolean> {
    const { plan } = this.#world;
    if (this.#meanwhile !== "wait" && !this.#hasActed && plan.hit.some(({ kind }) => isLasting(kind))) {
      this.#hasActed = true;
      await this.#act(this.#meanwhile);
    }
    if (++this.#steps === MAX_STEPS) this.violations.push("the channel does not come to rest");
    if (this.#steps >= MAX_STEPS) return false;
    await this.#world.settle();
    this.#look();
    const isPlanned = await this.#world.step(until);
    this.#look();
    return isPlanned;
  }

  #look(): void {
    this.hasParked ||= this.#world.answers().some((answer) => answer.includes("needs approval"));
    for (const one of this.asked)
      if (one.endedAt === null && isFinal(this.reply(one))) one.endedAt = this.#world.clock.now();
  }

  /** Lets somebody check what the channel is doing and end it. */
  async #act(how: "stop" | "kill"): Promise<void> {
    const world = this.#world;
    const turnId = runningTurn(world);
    await this.#answeredAtOnce("bot status");
    await this.#answeredAtOnce(how === "stop" ? "stop" : "bot kill");
    if (turnId === null) return;
    await this.#pass(STOPPED_WITHIN_MS);
    if (runningTurn(world) === turnId)
      this.violations.push(`${how}: the turn still runs after ${STOPPED_WITHIN_MS} ms`);
    await this.#pass(MINUTE_MS);
    const stopped = this.asked.find(({ interactionId }) => interactionId === turnId);
    if (stopped && stopped.endedAt === null)
      this.violations.push(`${how}: the reply of the turn has no end after a minute`);
  }

  async #answeredAtOnce(command: string): Promise<void> {
    const world = this.#world;
    const since = world.clock.now();
    const { messageId } = await this.#uses(PEOPLE.mira, command);
    const waited = world.clock.now() - since;
    if (waited > AT_ONCE_MS) this.violations.push(`/${command} waited ${waited} ms`);
    const shown = world.discord.messages(world.channelId, PEOPLE.mira).find(({ id }) => id === messageId);
    if (!shown || shown.content.includes("can't be reached")) this.violations.push(`/${command} was not answered`);
  }

  #uses(as: string, command: string): Promise<Outcome> {
    const [name = "", subcommand] = command.split(" ");
    const { channelId: channel } = this.#world;
    return this.#does({ kind: "command", as, channel, name, ...(subcommand && { subcommand }) });
  }

  async #does(input: Interact): Promise<Outcome> {
    const { clock, discord } = this.#world;
    const at = clock.now();
    const outcome = await this.#world.during(discord.interact(input));
    const text = "options" in input ? String(input.options?.message ?? input.name) : "";
    const { seen, interactionId, messageId = "" } = outcome;
    const isQuestion = input.kind === "command" && ["chat", "scene"].includes(input.name);
    if (seen === "thinking" || isQuestion)
      this.asked.push({ text, as: input.as, interactionId, messageId, at, endedAt: null });
    const isTooLate = clock.now() > at + ANSWER_LIMIT_MS && this.#world.plan.hit.some(({ kind }) => kind === "hour");
    if ((seen === "failed" || seen === "pending") && !isTooLate)
      this.violations.push(`no answer to ${input.kind} ${text}`);
    return outcome;
  }
}

/** The turn that has the lock. */
export function runningTurn({ database }: FaultHarness): string | null {
  const [row] = database.sql.exec("SELECT record FROM lock").toArray();
  return row ? (JSON.parse(String(row.record)) as { turnId: string | null }).turnId : null;
}

/**
 * Whether the message is final: it has words, and nothing says that more will come. If its token is over, the rest waits for a click on
 * Continue, and the message says so.
 */
export function isFinal(message: LocalMessage | null): boolean {
  if (!message || message.loading) return false;
  if (message.content.includes("Click Continue") && buttonId(message.components, "Continue") !== null) return true;
  const hasWords = message.content.trim() !== "" || message.attachments.length > 0;
  const mayStop = buttonId(message.components, "Stop") !== null;
  return hasWords && !mayStop && !hasWorkLine(message.content);
}

type Row = { components?: { label?: string; custom_id?: string }[] };

function buttonId(rows: unknown[], label: string): string | null {
  const buttons = (rows as Row[]).flatMap(({ components = [] }) => components);
  return buttons.find((button) => button.label === label)?.custom_id ?? null;
}

/** Records unhandled rejections during a run as the run's own findings, instead of leaving them to the test runner. */
export function watchRejections(world: FaultHarness): () => void {
  const others = process.listeners("unhandledRejection");
  const note = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!text.includes("this life of the object is over")) world.uncaught.push(text);
  };
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", note);
  return () => {
    process.off("unhandledRejection", note);
    for (const other of others) process.on("unhandledRejection", other);
  };
}
