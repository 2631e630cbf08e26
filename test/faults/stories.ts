// The stories of the crash sweep, and those that only this sweep plays: files, a token that ends, a deadline, a new life in the
// middle, a thread.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { rounds, type Scenario, type Stage } from "../crash/scenario.ts";
import { scenarios } from "../crash/scenarios.ts";
import { summaryStories } from "../crash/summary-scenario.ts";
import { peopleStories } from "./people-stories.ts";

const ADA = "1180000000000000777";
const MINUTE_MS = 60_000;
/** Shorter than the longest silence of a stream. */
const PAUSE_MS = 25_000;

/** What stories of this sweep can do in addition to those of the crash sweep. */
export interface FaultStage extends Stage {
  /** Clicks any button below a reply. */
  press(as: string, ofText: string, label: string): Promise<void>;
  /** Ends the object's life; its alarm begins the next one. */
  restart(): void;
}

/** One story; the crash sweep's stories are stories too. */
export interface Story extends Omit<Scenario, "play"> {
  play: (stage: FaultStage) => Promise<void>;
  /** The deployment has a limit, so each turn must ask for a lease. */
  isLimited?: true;
  /** Words of a person who has opted out. */
  leftOut?: string;
  /** Theo's question that is refused, by a direct message or a reaction. */
  refused?: string;
  /** Where people write; by default a channel of a server. */
  channelId?: string;
}

const FINE = { texts: ["fine"] };
const isAfterwards = ({ messages }: ModelRequest) =>
  messages.findLast(({ role }) => role === "user")?.text.endsWith("\nafter that") ?? false;

/** All of them. */
export const stories: Story[] = [
  ...scenarios,
  ...summaryStories,
  ...peopleStories,
  {
    name: "a turn with a tool under a limit of the deployment",
    answerTo: (request) =>
      isAfterwards(request) || request.messages.some(({ role }) => role === "tool")
        ? FINE
        : { texts: ["Let me see."], calls: [{ name: "count" }] },
    play: (stage) => stage.say(PEOPLE.theo, "go"),
    full: { go: "Let me see.\n\nfine" },
    effects: 1,
    isLimited: true,
  },
  {
    name: "a question with files",
    answerTo: () => FINE,
    async play({ world: { discord, channelId: channel } }) {
      const file = { attachment: { filename: "notes.txt", contentType: "text/plain", text: "read me" } };
      await discord.interact({
        kind: "command",
        as: PEOPLE.theo,
        channel,
        name: "chat",
        options: { message: "look", file },
      });
    },
    full: {},
  },
  {
    name: "an answer that takes longer than its token, with Continue",
    answerTo: (request) =>
      isAfterwards(request) ? FINE : { texts: ["Half an answer", " and the rest."], pauseMs: 14 * MINUTE_MS },
    async play(stage) {
      await stage.say(PEOPLE.theo, "go");
      const asks = () => stage.world.answers().some((answer) => answer.includes("Continue"));
      await stage.seen(asks);
      if (asks()) await stage.press(PEOPLE.theo, "go", "Continue");
    },
    full: { go: "Half an answer and the rest." },
    config: { turnDeadlineMs: 30 * MINUTE_MS, streamTimeoutMs: 20 * MINUTE_MS },
  },
  ...[{}, { DISCORD_BOT_TOKEN: APPLICATION.botToken }].map(
    (variables, index): Story => ({
      name: `a new life in the middle of a tool, ${index === 0 ? "by the token" : "by the bot"}`,
      answerTo(request) {
        if (isAfterwards(request)) return FINE;
        if (request.messages.some(({ role }) => role === "tool")) return { texts: ["Done."] };
        return { texts: ["Let me see."], calls: [{ name: "read" }, { name: "slow" }] };
      },
      async play(stage) {
        await stage.say(PEOPLE.theo, "go");
        await stage.seen(() => stage.world.answers().some((answer) => answer.includes("`slow`")));
        stage.restart();
      },
      full: { go: "Let me see.\n\nDone." },
      variables,
    }),
  ),
  {
    name: "messages in a thread",
    answerTo: (request) => (isAfterwards(request) ? FINE : { texts: ["Hello ", "there."] }),
    async play(stage) {
      await stage.write(PEOPLE.theo, "one");
      await stage.write(ADA, "two");
    },
    full: { one: "Hello there.", two: "Hello there." },
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
    channelId: PLACES.thread,
  },
  // Without webhooks each speaker's words are a followup, and the last speaker is ready before the first one's words are in Discord.
  ...scenarios.flatMap(({ variables: _bot, ...scene }): Story[] =>
    scene.voices ? [{ ...scene, name: `${scene.name}, by the token`, variables: {} }] : [],
  ),
  {
    name: "a turn that works until its deadline",
    answerTo(request) {
      if (isAfterwards(request)) return FINE;
      // Identical calls would end it sooner.
      const note = `part ${rounds(request)}`;
      return { calls: [{ name: "read", args: { note } }], pauseMs: PAUSE_MS };
    },
    play: (stage) => stage.say(PEOPLE.theo, "go"),
    full: { go: "" },
    mayEndEarly: ["go"],
    config: { turnDeadlineMs: MINUTE_MS },
  },
];
