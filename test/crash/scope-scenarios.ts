// Scenarios in which the scopes die, and the objects while they call them: a turn that is lent money and reported, and what people ask about
// themselves: to be forgotten in all channels of a server, to keep a fact, to be left out, to get a file of everything. Deaths at the channel's
// other ports are in scenarios.ts.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { byQuestion, question, rounds, type ScopeScenario, shows, using } from "./scenario.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;
const LIMITED = { MAX_USD_PER_DAY: "1000" };
/** A turn waits a second and a half for its facts and for what it overhears. */
const PATIENT_FACTOR = 10;
/** The fact that Theo states about himself. */
export const TEA = "Theo drinks tea.";
const COFFEE = "Theo never drinks coffee.";

/** Keeps a fact for whoever asks with `note`, and says which facts about the person it got. */
export function minder(request: ModelRequest) {
  if (question(request).endsWith("\nnote") && rounds(request) === 0)
    return { calls: [{ name: "remember", args: { text: COFFEE, for_me: true } }] };
  if (question(request).endsWith("\nnote")) return { texts: ["Noted."] };
  if (!question(request).endsWith("\nwhat?")) return { texts: ["fine"] };
  const told = JSON.stringify([request.system, request.messages]);
  return { texts: [told.includes(TEA) ? "Tea." : "I don't know."] };
}

/** Says whose words it got in addition to the question. */
export function listener(request: ModelRequest) {
  if (!question(request).endsWith("\nwhat?")) return { texts: ["fine"] };
  const told = JSON.stringify(request.messages);
  return { texts: [told.includes("secret") ? "A secret." : told.includes("lamp") ? "A lamp." : "Nothing."] };
}

/** All of them. */
export const scopeScenarios: ScopeScenario[] = [
  {
    name: "a turn that is lent money, and its report",
    scopes: true,
    answerTo: byQuestion({ go: [using("count"), { texts: ["All done."] }] }),
    play: (stage) => stage.say(THEO, "go"),
    full: { go: "All done." },
    // If a scope dies while it is asked, it lends nothing, and the turn ends with a line that says so.
    mayEndEarly: ["go"],
    maxEffects: 1,
    variables: LIMITED,
  },
  {
    name: "a turn that is stopped while it is lent money",
    scopes: true,
    factor: PATIENT_FACTOR,
    answerTo: byQuestion({}),
    async play(stage) {
      const isLending = stage.lendSlowly();
      await stage.say(THEO, "go");
      await stage.seen(isLending);
      await stage.use(THEO, "stop");
    },
    full: { go: "fine" },
    mayEndEarly: ["go"],
    variables: LIMITED,
  },
  {
    name: "a person who is forgotten in every channel of the server",
    scopes: true,
    answerTo: byQuestion({}),
    async play(stage) {
      await stage.askedElsewhere(THEO, ["901", "902"]);
      await stage.forgetEverywhere(THEO);
    },
    full: {},
    forgets: [`${THEO} in 901`, `${THEO} in 902`],
  },
  {
    name: "facts that a person keeps by a command and by a tool, and the turn that they come with",
    scopes: true,
    factor: PATIENT_FACTOR,
    answerTo: minder,
    async play(stage) {
      await stage.insists(THEO, "remember me", { text: TEA });
      await stage.say(THEO, "note");
      await stage.seen(shows(stage.world, "Noted."));
      await stage.say(THEO, "what?");
    },
    full: { note: "Noted.", "what?": "Tea." },
    // If a scope dies while it is asked, it says nothing, and the turn continues without it.
    fullWhenInterrupted: { "what?": "I don't know." },
    facts: { [THEO]: [TEA, COFFEE] },
  },
  {
    name: "a person who kept a fact and is forgotten",
    scopes: true,
    answerTo: byQuestion({}),
    async play(stage) {
      await stage.insists(THEO, "remember me", { text: TEA });
      await stage.askedElsewhere(THEO, ["901"]);
      await stage.forgetEverywhere(THEO);
    },
    full: {},
    forgets: [`${THEO} in 901`],
  },
  {
    name: "a person who wishes to be left out of what is overheard",
    scopes: true,
    factor: PATIENT_FACTOR,
    answerTo: listener,
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      discord.configure({ messageContentIntent: true });
      await stage.insists(THEO, "privacy opt-out", { state: "on" });
      discord.speak({ as: MIRA, channel, content: "The lamp is lit." });
      discord.speak({ as: THEO, channel, content: "My secret." });
      await stage.say(MIRA, "what?");
    },
    full: { "what?": "A lamp." },
    leftOut: [THEO],
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "a person who takes their wish to be left out back",
    scopes: true,
    answerTo: byQuestion({}),
    async play(stage) {
      await stage.insists(THEO, "privacy opt-out", { state: "on" });
      await stage.insists(THEO, "privacy opt-out", { state: "off" });
    },
    full: {},
  },
  {
    name: "a person who has a file made of all that is kept about them",
    scopes: true,
    answerTo: byQuestion({ hi: [{ texts: ["Hello."] }], hush: [{ texts: ["Yes."] }] }),
    async play(stage) {
      await stage.insists(THEO, "remember me", { text: TEA });
      await stage.askedElsewhere(THEO, ["901", "902"]);
      await stage.say(THEO, "hi");
      await stage.seen(shows(stage.world, "Hello."));
      await stage.say(MIRA, "hush");
      await stage.seen(() => false);
      await stage.exports(THEO);
    },
    full: { hi: "Hello.", hush: "Yes." },
    facts: { [THEO]: [TEA] },
    file: { of: THEO, questions: ["hi", "said in 901", "said in 902"], facts: [TEA], without: "hush" },
  },
];
