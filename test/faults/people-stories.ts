// Stories in which people ask about themselves: facts of their own, being left out of what is overheard, a file of everything that is kept.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { byQuestion, shows } from "../crash/scenario.ts";
import { listener, minder, TEA } from "../crash/scope-scenarios.ts";
import { BOT } from "../support/gateway-door.ts";
import type { FaultStage, Story } from "./stories.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;

const uses = ({ world: { discord, channelId: channel } }: FaultStage, name: string, subcommand: string, options = {}) =>
  discord.interact({ kind: "command", as: THEO, channel, name, subcommand, options });

/** All of them. */
export const peopleStories: Story[] = [
  {
    name: "facts that a person keeps by a command and by a tool, and the turn that they come with",
    answerTo: minder,
    async play(stage) {
      await uses(stage, "remember", "me", { text: TEA });
      await stage.say(THEO, "note");
      await stage.seen(shows(stage.world, "Noted."));
      await stage.say(THEO, "what?");
    },
    full: { note: "Noted.", "what?": "Tea." },
  },
  {
    name: "a person who wishes to be left out of what is overheard",
    answerTo: listener,
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      discord.configure({ messageContentIntent: true });
      await uses(stage, "privacy", "opt-out", { state: "on" });
      discord.speak({ as: MIRA, channel, content: "The lamp is lit." });
      discord.speak({ as: THEO, channel, content: "My secret." });
      await stage.say(MIRA, "what?");
    },
    full: { "what?": "A lamp." },
    leftOut: "My secret.",
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "a message of a person who may not use the bot",
    answerTo: byQuestion({}),
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      const options = { key: "deny_users", value: THEO };
      await discord.interact({ kind: "command", as: MIRA, channel, name: "config", subcommand: "set", options });
      discord.speak({ as: THEO, channel, content: `${BOT} hello` });
      await stage.seen(() => false);
    },
    full: {},
    refused: "hello",
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "a person who has a file made of all that is kept about them",
    answerTo: byQuestion({ hi: [{ texts: ["Hello."] }] }),
    async play(stage) {
      await uses(stage, "remember", "me", { text: TEA });
      await stage.say(THEO, "hi");
      await stage.seen(shows(stage.world, "Hello."));
      await stage.seen(() => false);
      await uses(stage, "privacy", "export");
      await stage.seen(() =>
        stage.world.discord.messages(stage.world.channelId, THEO).every(({ loading }) => !loading),
      );
    },
    full: { hi: "Hello." },
  },
];
