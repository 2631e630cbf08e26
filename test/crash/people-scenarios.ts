// Scenarios with several people: those who wait are answered in the order in which they asked, and nothing is left of people who wish to be
// forgotten.
import { UNAVAILABLE } from "../../src/core/copy/refusals.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { byQuestion, question, type Scenario, type Stage, shows, using } from "./scenario.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;
const ADA = "1180000000000000777";
const SECRET = "the key is under the mat";
const TRIES = 5;

/** All of them. */
export const peopleScenarios: Scenario[] = [
  {
    name: "a queue of three people",
    answerTo: byQuestion({
      one: [using("slow"), { texts: ["Worked."] }],
      two: [{ texts: ["Hello ", "there."] }],
      three: [{ texts: ["Hello ", "you."] }],
    }),
    async play(stage) {
      await stage.say(THEO, "one");
      await stage.seen(shows(stage.world, "Using"));
      await stage.say(MIRA, "two");
      await stage.say(ADA, "three");
      await stage.clickStop(THEO, "one");
    },
    full: { one: "Worked.", two: "Hello there.", three: "Hello you." },
    mayEndEarly: ["one"],
  },
  {
    name: "a person who is forgotten in the channel",
    answerTo(request) {
      if (question(request).endsWith(`\n${SECRET}`)) return { texts: [`I note that ${SECRET}.`] };
      if (!question(request).endsWith("\nwhat?")) return { texts: ["fine"] };
      return { texts: [JSON.stringify(request).includes(SECRET) ? "A secret." : "Nothing."] };
    },
    async play(stage) {
      await stage.say(THEO, SECRET);
      await stage.seen(() => false);
      await forgetHere(stage, THEO);
      await stage.say(MIRA, "what?");
    },
    full: { [SECRET]: `I note that ${SECRET}.`, "what?": "Nothing." },
    forgotten: SECRET,
  },
];

/** Uses /privacy forget and confirms with a click, again and again until the bot can do it. */
async function forgetHere({ world: { discord, channelId: channel } }: Stage, as: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const asked = await discord.interact({ kind: "command", as, channel, name: "privacy", subcommand: "forget" });
    const { messageId = "" } = asked;
    const done = await discord.interact({ kind: "click", as, channel, messageId, customId: `forget:${as}` });
    const shown = discord.messages(channel, as).find(({ id }) => id === done.messageId);
    if (shown && shown.content !== UNAVAILABLE) return;
  }
  throw new Error("a person is never forgotten");
}
