// Scenarios in which the scopes die, and the objects that call them as they do: a turn that is lent money and reported, and a person who is
// forgotten in all channels of a server. Every other port of the channel has its deaths in scenarios.ts.
import { THEO } from "../support/workerd-harness.ts";
import { byQuestion, type ScopeScenario, using } from "./scenario.ts";

const LIMITED = { MAX_USD_PER_DAY: "1000" };

/** All of them. */
export const scopeScenarios: ScopeScenario[] = [
  {
    name: "a turn that is lent money, and its report",
    scopes: true,
    answerTo: byQuestion({ go: [using("count"), { texts: ["All done."] }] }),
    play: (stage) => stage.say(THEO, "go"),
    full: { go: "All done." },
    // A scope that died while it was asked lends nothing, and the turn ends with a line that says so.
    mayEndEarly: ["go"],
    maxEffects: 1,
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
];
