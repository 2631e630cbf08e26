// A conversation whose beginning is summarised after the second answer, for both sweeps: two questions of 6,000 signs, of which each counts
// as a token, pass three quarters of the window.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";
import { isForSummary, textOf } from "../support/summaries.ts";
import { byQuestion, type Scenario, shows } from "./scenario.ts";

const LONG = "海".repeat(5990);
const SUMMARY = "About: the lamp of the harbour.";
const [ONE, TWO] = [`${LONG} one`, `${LONG} two`];
/** With the answers the two questions pass three quarters of the window. */
const [FIRST, SECOND] = ["One", "Two"].map((word) => `${word}. ${"Then the sea. ".repeat(20)}End.`);
const full = { [ONE]: FIRST ?? "", [TWO]: SECOND ?? "", three: "Three." };
const answers = byQuestion(
  Object.fromEntries(Object.entries(full).map(([asked, text]) => [asked, [{ texts: [text] }]])),
);

const play: Scenario["play"] = async (stage) => {
  const { theo, mira } = PEOPLE;
  await stage.say(theo, ONE);
  await stage.seen(shows(stage.world, "One."));
  await stage.say(mira, TWO);
  await stage.seen(() => false);
  await stage.say(theo, "three");
};
const story = {
  name: "a conversation that is summarised",
  play,
  full,
};

/** The answer to the third question says so where it is asked without the summary, or with what the summary stands for. */
function mindful(request: ModelRequest): Answer {
  if (isForSummary(request)) return { texts: [SUMMARY] };
  const isThird = answers(request).texts?.[0] === "Three.";
  const [has, hasOriginal] = [textOf(request).includes(SUMMARY), textOf(request).includes(ONE)];
  return !isThird || (has && !hasOriginal) ? answers(request) : { texts: ["The summary is missing."] };
}

/** Where lives end: however many do, the summary is made and stands in the next request. */
export const summaryScenario: Scenario = { ...story, answerTo: mindful };

/** Where ports fail: a summary that could not be made changes nothing that people see. */
export const summaryStory: Scenario = {
  ...story,
  answerTo: (request) => (isForSummary(request) ? { texts: [SUMMARY] } : answers(request)),
};
