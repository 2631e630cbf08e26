// A scenario: what people do in a channel while its object dies, as data, and the words in which scenarios are written.
import type { Config } from "../../src/config.ts";
import type { PickedFile } from "../../src/playground/discord/acts.ts";
import type { LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";

/** The channel of a story, as it is seen from Discord. */
export interface StageWorld {
  discord: LocalDiscord;
  channelId: string;
  /** What the bot's messages say. */
  answers(): string[];
}

/** The actions of a scenario: each waits for something visible, or until nothing more will come. */
export interface Stage {
  world: StageWorld;
  say(as: string, text: string, file?: PickedFile): Promise<void>;
  /** Writes a message that mentions the bot. */
  write(as: string, text: string, file?: PickedFile): Promise<void>;
  /** Edits such a message. */
  edit(as: string, ofText: string, text: string): Promise<void>;
  /** Deletes such a message: it gets no answer, or the beginning of one. */
  remove(as: string, ofText: string): Promise<void>;
  use(as: string, command: string): Promise<void>;
  clickStop(as: string, ofText: string): Promise<void>;
  /** Clicks Approve or Deny below a reply. */
  decide(as: string, ofText: string, label: "Approve" | "Deny"): Promise<void>;
  /** Clicks Regenerate or Delete below an answer: from then on the question has another one, or is not asked. False: it was refused. */
  change(as: string, ofText: string, label: "Regenerate" | "Delete"): Promise<boolean>;
  /** Lets every approval expire. */
  expire(): Promise<void>;
  /** Lets so much time pass without any traffic; then the alarm comes. */
  pass(ms: number): Promise<void>;
  /** Waits until the condition holds or the channel has come to rest without it. */
  seen(condition: () => boolean): Promise<void>;
}

/** One story. `full` gives each question's whole answer; `endings` the questions that may end with less and a notice. */
export interface Scenario {
  name: string;
  answerTo: (request: ModelRequest, model: number) => Answer;
  /** Models that are configured; one by default. */
  models?: number;
  play: (stage: Stage) => Promise<void>;
  full: Record<string, string>;
  /** Whole answers in which the model says something else, because a life ended. */
  fullWhenInterrupted?: Record<string, string>;
  /** What the model says to the next message where an answer that was to replace another failed, so that the other stays. */
  whenItStays?: string;
  /** Model calls that one life may have under way at once; 1 by default. */
  callsAtOnce?: number;
  /** Effects that come in all, whatever their keys: none beside them, and each life that ended may have missed one. */
  effects?: number;
  /** The same where they need not come. */
  maxEffects?: number;
  /** Reminders that must come, each in one message of its own. */
  reminders?: number;
  /** Each question's asker is pinged once, and no one else; without this, no one is. */
  pings?: true;
  /** Turns that the objects of threads must have taken; none by default. */
  handsOver?: number;
  /** The bot's messages that everyone sees in the end, with the answer to the message after the story. */
  messagesLeft?: number;
  /** Beside them, one whose creation no life has heard of may stay: below a scene's header it has neither nonce nor link. */
  mayMissOne?: true;
  /** What personas say, by name: each heard once, by its own voice or in the file of the scene's first line. */
  voices?: Record<string, string>;
  /** The persona whose name stands above the answers. */
  speaker?: string;
  /** Lines that close a whole answer. */
  endings?: Record<string, string>;
  /** Questions whose answer may be a beginning of the whole one, closed by a notice. */
  mayEndEarly?: string[];
  /** So many sounds are heard, and each again only after a life that ended. */
  sounds?: number;
  /** The price of each request to a model that listens or draws, in micro-dollars. */
  mediaMicroUsd?: number;
  /** The files of an answer, by question: there once each, and no others but the answer itself. An answer of an interruption has none. */
  files?: Record<string, string[]>;
  /** Words of a person who was forgotten: nothing that is stored has them. */
  forgotten?: string;
  /** Limits other than the usual ones. */
  config?: Partial<Config>;
  /** How much faster than the wall the time runs where lives end; slower for what has a limit of its own. */
  factor?: number;
  /** Variables beside the usual ones. */
  variables?: Readonly<Record<string, string>>;
}

/** What people do, where the scopes die too. */
export interface ScopeStage extends Stage {
  /** This person had a turn in each of these channels, whose report is sent until it is taken. */
  askedElsewhere(as: string, channelIds: readonly string[]): Promise<void>;
  /** Uses a command about oneself, again until the bot can do it. Returns the answer, which only this person sees. */
  insists(as: string, command: string, options?: Record<string, string>): Promise<string>;
  /** Asks for the file of what is kept, again until it comes. */
  exports(as: string): Promise<void>;
  /** From now on no turn is lent anything before one is reported. Returns whether any waits for it. */
  lendSlowly(): () => boolean;
  /** Has the server's other channels forget this person; asked again until there is an answer. */
  forgetEverywhere(as: string): Promise<void>;
}

/** A story with real scopes (`scopes`). Then only they die, and whoever calls them. Every scenario is one. */
export interface ScopeScenario extends Omit<Scenario, "play"> {
  scopes?: true;
  play: (stage: ScopeStage) => Promise<void>;
  /** Who must have been forgotten, and where. */
  forgets?: readonly string[];
  /** The facts that the server keeps of people in the end, by their ids, and who is left out of what is overheard. */
  facts?: Readonly<Record<string, readonly string[]>>;
  leftOut?: readonly string[];
  /** What a person's file must have, whole and once, and what it must not have. */
  file?: { of: string; questions: readonly string[]; facts: readonly string[]; without: string };
}

/** The newest question of a request. */
export const question = (request: ModelRequest) =>
  request.messages.findLast((message) => message.role === "user")?.text ?? "";
/** How often the model has answered since the newest question. */
export const rounds = (request: ModelRequest) => {
  const since = request.messages.findLastIndex((message) => message.role === "user");
  return request.messages.slice(since).filter((message) => message.role === "assistant").length;
};

/** Answers by the newest question: one entry per step of its turn. */
export const byQuestion =
  (answers: Record<string, Answer[]>) =>
  (request: ModelRequest): Answer => {
    const asked = Object.keys(answers).find((text) => question(request).endsWith(`\n${text}`));
    const passes = answers[asked ?? ""] ?? [{ texts: ["fine"] }];
    return passes[Math.min(rounds(request), passes.length - 1)] ?? { texts: ["fine"] };
  };

/** An answer that calls these tools. */
export const using = (name: string, ...more: string[]): Answer => ({
  calls: [name, ...more].map((tool) => ({ name: tool })),
});

/** Does one of the bot's messages contain this? */
export const shows = (world: StageWorld, text: string) => () => world.answers().some((answer) => answer.includes(text));

/** So many paragraphs, of which no two are equal. */
export const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} ${"lorem ipsum ".repeat(50)}end.\n\n`);

/** Somebody makes a persona and lets it answer; without a name, the bot itself answers again. */
export async function letAnswer({ world: { discord, channelId: channel } }: Stage, name?: string): Promise<void> {
  const use = (subcommand: string, options: Record<string, string>) =>
    discord.interact({ kind: "command", as: PEOPLE.mira, channel, name: "persona", subcommand, options });
  if (name !== undefined) await use("create", { name, prompt: "Be brief." });
  await use("use", name === undefined ? {} : { name });
}
