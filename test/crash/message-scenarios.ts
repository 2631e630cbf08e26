// The scenarios in which people ask by message: the bot answers with its own token, and the gateway repeats each event until the channel has
// it.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { byQuestion, letAnswer, paragraphs, type Scenario, shows, using } from "./scenario.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;
const long = paragraphs(8);

/** All of them. */
export const messageScenarios: Scenario[] = byMessage([
  {
    name: "a plain answer to a message",
    answerTo: byQuestion({ hi: [{ texts: ["Hello ", "there."] }] }),
    play: (stage) => stage.write(THEO, "hi"),
    full: { hi: "Hello there." },
  },
  {
    name: "a message with a tool and an answer in several messages",
    answerTo: byQuestion({ go: [using("count"), { texts: long }] }),
    play: (stage) => stage.write(THEO, "go"),
    full: { go: long.join("") },
    effects: 1,
  },
  {
    name: "a persona's answer to a message, in several messages of a webhook",
    answerTo: byQuestion({ go: [using("count"), { texts: long }] }),
    async play(stage) {
      await letAnswer(stage, "Ada");
      await stage.write(THEO, "go");
      await stage.seen(() => false);
      await letAnswer(stage);
    },
    full: { go: long.join("") },
    speaker: "Ada",
    effects: 1,
  },
  {
    name: "a message that waits and is edited",
    answerTo: byQuestion({ work: [using("slow"), { texts: ["Worked."] }], three: [{ texts: ["Three."] }] }),
    async play(stage) {
      await stage.write(THEO, "work");
      await stage.seen(shows(stage.world, "Using"));
      await stage.write(MIRA, "two");
      await stage.edit(MIRA, "two", "three");
      await stage.use(THEO, "stop");
    },
    full: { work: "Worked.", three: "Three." },
    fullWhenInterrupted: { three: "fine" },
    mayEndEarly: ["work"],
  },
  {
    name: "a message that is deleted while it waits, and one while it is answered",
    answerTo: byQuestion({ story: [{ texts: ["Once upon a time"], hang: true }], two: [{ texts: ["Two."] }] }),
    async play(stage) {
      await stage.write(THEO, "story");
      await stage.seen(shows(stage.world, "Once"));
      await stage.write(MIRA, "two");
      await stage.remove(MIRA, "two");
      await stage.remove(THEO, "story");
    },
    full: {},
  },
]);

function byMessage(stories: Scenario[]): Scenario[] {
  return stories.map((story) => ({ ...story, variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken } }));
}
