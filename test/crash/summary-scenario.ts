// A conversation whose beginning is summarised after the second answer, for both sweeps: two questions, of which each sign counts as a
// token, pass three quarters of the window. In the sweep of faults the model's window is small, because long texts take most of its time.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";
import { isForSummary, textOf } from "../support/summaries.ts";
import { byQuestion, type Scenario, shows } from "./scenario.ts";

/** Signs of a question where the window is the usual one, and where it is 1,200 tokens. */
const [USUAL_SIGNS, FEW_SIGNS] = [5990, 390];
/** Of such a model the transcript has 0.6. */
const FEW_TOKENS = 2000;
const SUMMARY = "About: the lamp of the harbour.";
/** With the answers the two questions pass three quarters of the window. */
const [FIRST, SECOND] = ["One", "Two"].map((word) => `${word}. ${"Then the sea. ".repeat(20)}End.`);

/** Such a conversation, with questions of so many signs. */
function conversation(signs: number) {
  const [one, two] = ["one", "two"].map((word) => `${"海".repeat(signs)} ${word}`) as [string, string];
  const full = { [one]: FIRST ?? "", [two]: SECOND ?? "", three: "Three." };
  const play: Scenario["play"] = async (stage) => {
    const { theo, mira } = PEOPLE;
    await stage.say(theo, one);
    await stage.seen(shows(stage.world, "One."));
    await stage.say(mira, two);
    await stage.seen(() => false);
    await stage.say(theo, "three");
  };
  const answers = byQuestion(
    Object.fromEntries(Object.entries(full).map(([asked, text]) => [asked, [{ texts: [text] }]])),
  );
  return { one, answers, story: { name: "a conversation that is summarised", play, full } };
}

const usual = conversation(USUAL_SIGNS);
const small = conversation(FEW_SIGNS);

/** The answer to the third question says so where it is asked without the summary, or with what the summary stands for. */
function mindful(request: ModelRequest): Answer {
  if (isForSummary(request)) return { texts: [SUMMARY] };
  const { one, answers } = usual;
  const isThird = answers(request).texts?.[0] === "Three.";
  const [has, hasOriginal] = [textOf(request).includes(SUMMARY), textOf(request).includes(one)];
  return !isThird || (has && !hasOriginal) ? answers(request) : { texts: ["The summary is missing."] };
}

/** Where lives end: however many do, the summary is made and stands in the next request. */
export const summaryScenario: Scenario = { ...usual.story, answerTo: mindful };

/** Where ports fail: a summary that could not be made changes nothing that people see. */
export const summaryStory: Scenario = {
  ...small.story,
  answerTo: (request) => (isForSummary(request) ? { texts: [SUMMARY] } : small.answers(request)),
  variables: { MODELS: JSON.stringify([{ id: "scripted 1", model: "m1", contextTokens: FEW_TOKENS }]) },
};
