// Scenarios of the crash sweep with a recurring task: it comes once at each of its times, and posts nothing if it has nothing to report.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { question, rounds, type Scenario } from "./scenario.ts";

const HALF_HOUR_MS = 30 * 60_000;
const TIMES = ["First report.", "Second report.", "NOTHING_TO_REPORT"];

export const taskScenarios: Scenario[] = [
  {
    name: "a recurring task that comes three times, the last with nothing to report",
    answerTo(request) {
      if (question(request).endsWith("\ngo")) {
        const set = { name: "set_reminder", args: { text: "check", when: "every 30 minutes" } };
        return rounds(request) > 0 ? { texts: ["Set."] } : { calls: [set] };
      }
      const isTask = (text: string) => text.includes("a recurring task that");
      if (!isTask(question(request))) return { texts: ["fine"] };
      const came = request.messages.filter(({ role, text }) => role === "user" && isTask(text)).length;
      return { texts: [TIMES[came - 1] ?? "too often"] };
    },
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      await stage.say(PEOPLE.theo, "go");
      await stage.seen(() => false);
      for (const _ of TIMES) {
        await stage.pass(HALF_HOUR_MS);
        await stage.seen(() => false);
      }
      const cancel = { kind: "command", name: "reminders", subcommand: "cancel", options: { number: 1 } } as const;
      await discord.interact({ ...cancel, as: PEOPLE.theo, channel });
    },
    full: { go: "Set." },
    reminders: 2,
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
];
