// The scenarios about what accompanies an answer: the message that pings its asker, and Regenerate and Delete.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { Answer } from "../support/scripted-model.ts";
import {
  byQuestion,
  letAnswer,
  paragraphs,
  question,
  rounds,
  type Scenario,
  type Stage,
  shows,
  using,
} from "./scenario.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;
const long = paragraphs(8);
const STILL_THERE = "It is still there.";
const WITH_BOT = { DISCORD_BOT_TOKEN: APPLICATION.botToken };

/** All of them. */
export const replyScenarios: Scenario[] = [
  {
    name: "answers that ping their askers",
    answerTo: byQuestion({ hi: [{ texts: ["Hello ", "there."] }], long: [using("count"), { texts: long }] }),
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      const options = { key: "ping_when_done", value: "always" };
      await discord.interact({ kind: "command", as: MIRA, channel, name: "config", subcommand: "set", options });
      await stage.say(THEO, "hi");
      await stage.seen(() => false);
      await stage.say(THEO, "long");
    },
    full: { hi: "Hello there.", long: long.join("") },
    effects: 1,
    pings: true,
    variables: WITH_BOT,
  },
  {
    name: "a question that gets a thread",
    answerTo: byQuestion({}),
    async play({ world: { discord, channelId: channel } }) {
      const options = { message: "go", thread: true };
      await discord.interact({ kind: "command", as: THEO, channel, name: "chat", options });
    },
    full: {},
    handsOver: 1,
    messagesLeft: 2,
    variables: WITH_BOT,
  },
  changed("an answer that is regenerated", "Regenerate", { variables: WITH_BOT, messagesLeft: 2 }),
  changed("an answer that is regenerated without the bot's token", "Regenerate", {}),
  changed("an answer that is deleted by a moderator", "Delete", { variables: WITH_BOT, messagesLeft: 1 }),
  changed("an answer that is deleted without the bot's token", "Delete", { messagesLeft: 1 }),
  changed("a persona's answer by webhook that is deleted", "Delete", { variables: WITH_BOT, messagesLeft: 1 }, "Ada"),
  changed(
    "a persona's answer to a command that is deleted",
    "Delete",
    { variables: WITH_BOT, messagesLeft: 1, mayMissOne: true },
    "Ada",
    "say",
  ),
  changed(
    "a persona's answer to a command that is regenerated",
    "Regenerate",
    { variables: WITH_BOT, messagesLeft: 2, mayMissOne: true, full: { hi: "**Ada:** Good." } },
    "Ada",
    "say",
  ),
];

/**
 * Theo gets a bad answer after a tool has run, and someone clicks. No later request may contain its words. It has few messages if they are not
 * the bot's own: a further one whose outcome a life didn't learn has no known id there, and no nonce by which it could be found.
 */
function changed(
  name: string,
  label: "Regenerate" | "Delete",
  more: Partial<Scenario>,
  persona: string | null = null,
  asks: "write" | "say" = more.variables ? "write" : "say",
): Scenario {
  let isAgain = false;
  const isLong = more.variables !== undefined && persona === null;
  const bad = isLong ? ["Bad. ", ...long] : ["Bad."];
  const answerTo = (request: Parameters<Scenario["answerTo"]>[0]): Answer => {
    const earlier = request.messages.slice(
      0,
      request.messages.findLastIndex(({ role }) => role === "user"),
    );
    const has = (words: string) => JSON.stringify(earlier).includes(words);
    const isAsked = question(request).endsWith("\nhi");
    // If the new answer failed, the old one stays.
    if (isAgain && has("Bad.") && (isAsked || label === "Delete" || has("Good."))) return { texts: [STILL_THERE] };
    if (!isAsked) return { texts: ["fine"] };
    if (isAgain) return { texts: ["Good."] };
    return rounds(request) > 0 ? { texts: bad } : using("read");
  };
  return {
    name,
    answerTo,
    async play(stage: Stage) {
      isAgain = false;
      if (persona !== null) await letAnswer(stage, persona);
      await stage[asks](THEO, "hi");
      await stage.seen(shows(stage.world, "Bad."));
      await stage.seen(() => false);
      isAgain = true;
      isAgain = await stage.change(MIRA, "hi", label);
      if (persona !== null) await letAnswer(stage);
    },
    full: { hi: "Good." },
    ...(label === "Regenerate" && { whenItStays: STILL_THERE }),
    ...more,
  };
}
