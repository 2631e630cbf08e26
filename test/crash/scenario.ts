// A scenario: what people do in a channel while its object dies, as data, and the words in which scenarios are written.
import type { Config } from "../../src/config.ts";
import type { PickedFile } from "../../src/playground/discord/acts.ts";
import type { LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";

/** The channel of a story, as seen from Discord. */
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
  /** Edits a message that mentions the bot. */
  edit(as: string, ofText: string, text: string): Promise<void>;
  /** Deletes a message that mentions the bot: it gets no answer, or the beginning of one. */
  remove(as: string, ofText: string): Promise<void>;
  use(as: string, command: string): Promise<void>;
  clickStop(as: string, ofText: string): Promise<void>;
  /** Clicks Approve or Deny below a reply. */
  decide(as: string, ofText: string, label: "Approve" | "Deny"): Promise<void>;
  /** Clicks Regenerate or Delete below an answer: from then on the question has another answer, or was never asked. False: it was refused. */
  change(as: string, ofText: string, label: "Regenerate" | "Delete"): Promise<boolean>;
  /** Lets every approval expire. */
  expire(): Promise<void>;
  /** Lets this much time pass without any traffic, then runs the alarm. */
  pass(ms: number): Promise<void>;
  /** Waits until the condition is true, or the channel has become idle without it. */
  seen(condition: () => boolean): Promise<void>;
}

/** One story. `full` gives each question's whole answer; `mayEndEarly` lists the questions that may end with less and a notice. */
export interface Scenario {
  name: string;
  answerTo: (request: ModelRequest, model: number) => Answer;
  /** How many models are configured; one by default. */
  models?: number;
  play: (stage: Stage) => Promise<void>;
  full: Record<string, string>;
  /** Other whole answers that the model may give because a life ended. */
  fullWhenInterrupted?: Record<string, string>;
  /** What the model answers to the next message if an answer failed that should have replaced another, so that the other stays. */
  whenItStays?: string;
  /** How many model calls one life may have under way at once; 1 by default. */
  callsAtOnce?: number;
  /** The total number of effects, whatever their keys: no more than these, and each life that ended may have left one out. */
  effects?: number;
  /** The same for effects that need not happen. */
  maxEffects?: number;
  /** Reminders that must come, each in one message of its own. */
  reminders?: number;
  /** Each question's asker is pinged once, and nobody else; without this, nobody is. */
  pings?: true;
  /** Turns that the objects of threads must have taken; none by default. */
  handsOver?: number;
  /** How many of the bot's messages everyone sees in the end, with the answer to the message after the story. */
  messagesLeft?: number;
  /** One more message may stay if no life learned that it was created: below a scene's header it has neither nonce nor link. */
  mayMissOne?: true;
  /** What personas say, by name: each once, by its own voice or in the file of the scene's header. */
  voices?: Record<string, string>;
  /** The persona whose name is above the answers. */
  speaker?: string;
  /** Lines that close a whole answer. */
  endings?: Record<string, string>;
  /** Questions whose answer may be a beginning of the whole one, closed by a notice. */
  mayEndEarly?: string[];
  /** How many sounds are transcribed, each again only after a life that ended. */
  sounds?: number;
  /** The price of each request to a model that listens or draws, in micro-dollars. */
  mediaMicroUsd?: number;
  /** The files of an answer, by question: each once, and no others except the answer itself. An interrupted answer has none. */
  files?: Record<string, string[]>;
  /** Words of a forgotten person: nothing that is stored contains them. */
  forgotten?: string;
  /** Limits other than the usual ones. */
  config?: Partial<Config>;
  /** How many times faster than real time the time runs in runs with deaths; slower for what has a time limit of its own. */
  factor?: number;
  /** Variables in addition to the usual ones. */
  variables?: Readonly<Record<string, string>>;
}

/** What people do in scenarios in which the scopes die too. */
export interface ScopeStage extends Stage {
  /** Gives this person a turn in each of these channels, and sends its report until it is taken. */
  askedElsewhere(as: string, channelIds: readonly string[]): Promise<void>;
  /** Uses a command about oneself, again and again until the bot can do it. Returns the answer, which only this person sees. */
  insists(as: string, command: string, options?: Record<string, string>): Promise<string>;
  /** Asks for the file of what is kept, again and again until it comes. */
  exports(as: string): Promise<void>;
  /** Makes the scope lend nothing to turns until one is reported. Returns whether any turn waits for that. */
  lendSlowly(): () => boolean;
  /** Makes the server's other channels forget this person; asks again until there is an answer. */
  forgetEverywhere(as: string): Promise<void>;
}

/** A story that may have real scopes (`scopes`); then only they and their callers die. Every scenario has this type. */
export interface ScopeScenario extends Omit<Scenario, "play"> {
  scopes?: true;
  play: (stage: ScopeStage) => Promise<void>;
  /** The people who must have been forgotten, and where. */
  forgets?: readonly string[];
  /** The facts that the server keeps about people in the end, by their ids, and the people left out of what is overheard. */
  facts?: Readonly<Record<string, readonly string[]>>;
  leftOut?: readonly string[];
  /** What a person's file must contain, whole and once, and what it must not contain. */
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

/** Makes answers by the newest question: one entry per step of its turn. */
export const byQuestion =
  (answers: Record<string, Answer[]>) =>
  (request: ModelRequest): Answer => {
    const asked = Object.keys(answers).find((text) => question(request).endsWith(`\n${text}`));
    const passes = answers[asked ?? ""] ?? [{ texts: ["fine"] }];
    return passes[Math.min(rounds(request), passes.length - 1)] ?? { texts: ["fine"] };
  };

/** Makes an answer that calls these tools. */
export const using = (name: string, ...more: string[]): Answer => ({
  calls: [name, ...more].map((tool) => ({ name: tool })),
});

/** Whether one of the bot's messages contains this. */
export const shows = (world: StageWorld, text: string) => () => world.answers().some((answer) => answer.includes(text));

/** Makes this many paragraphs, no two of them equal. */
export const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} ${"lorem ipsum ".repeat(50)}end.\n\n`);

/** Creates a persona and lets it answer; without a name, the bot itself answers again. */
export async function letAnswer({ world: { discord, channelId: channel } }: Stage, name?: string): Promise<void> {
  const use = (subcommand: string, options: Record<string, string>) =>
    discord.interact({ kind: "command", as: PEOPLE.mira, channel, name: "persona", subcommand, options });
  if (name !== undefined) await use("create", { name, prompt: "Be brief." });
  await use("use", name === undefined ? {} : { name });
}
