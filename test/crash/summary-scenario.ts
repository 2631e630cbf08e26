// A conversation whose beginning is summarized, for both sweeps. Each character of its questions counts as a token: either two questions exceed
// three quarters of the window, and the summary is made before the next one; or three exceed nine tenths, and the next one comes at once, so that
// the summary is made during its turn. In the fault sweep the model's window is small, because long texts take most of its time.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";
import { isForSummary, textOf } from "../support/summaries.ts";
import { byQuestion, type Scenario, shows } from "./scenario.ts";

/** The transcript may use 0.6 of this model's window. */
const FEW_TOKENS = 2000;
const SUMMARY = "About: the lamp of the harbour.";
const LAST = { question: "now", answer: "Now." };

interface Conversation {
  first: string;
  answers: Scenario["answerTo"];
  story: Omit<Scenario, "answerTo">;
}

/** Asks long questions of this many characters and a short one. `isBusy`: the short one comes as soon as the last long one is answered. */
function conversation(long: number, signs: number, isBusy: boolean): Conversation {
  const turns = ["One", "Two", "Three"].slice(0, long).map((word) => ({
    question: `${"海".repeat(signs)} ${word.toLowerCase()}`,
    answer: `${word}. ${"Then the sea. ".repeat(20)}End.`,
    shown: `${word}.`,
  }));
  const full = Object.fromEntries([...turns, LAST].map(({ question, answer }) => [question, answer]));
  const play: Scenario["play"] = async (stage) => {
    const { theo, mira } = PEOPLE;
    for (const [index, { question, shown }] of turns.entries()) {
      await stage.say(index === 1 ? mira : theo, question);
      await stage.seen(shows(stage.world, shown));
    }
    if (!isBusy) await stage.seen(() => false);
    await stage.say(mira, LAST.question);
  };
  const name = `a conversation that is summarized${isBusy ? " beside a turn" : ""}`;
  return {
    first: turns[0]?.question ?? "",
    answers: byQuestion(Object.fromEntries(Object.entries(full).map(([asked, text]) => [asked, [{ texts: [text] }]]))),
    story: { name, play, full },
  };
}

const usual = conversation(2, 5990, false);
const busy = conversation(3, 4800, true);

/** The answer to the last question says if it was asked without the summary, or together with what the summary replaces. */
function mindful(request: ModelRequest, model: number): Answer {
  if (isForSummary(request)) return { texts: [SUMMARY] };
  const { first, answers } = usual;
  const isLast = answers(request, model).texts?.[0] === LAST.answer;
  const [has, hasOriginal] = [textOf(request).includes(SUMMARY), textOf(request).includes(first)];
  return !isLast || (has && !hasOriginal) ? answers(request, model) : { texts: ["The summary is missing."] };
}

/** Gives the answers regardless of what a request contains or lacks. */
const careless =
  ({ answers }: Conversation): Scenario["answerTo"] =>
  (request, model) =>
    isForSummary(request) ? { texts: [SUMMARY] } : answers(request, model);

/** For the crash sweep: however many lives end, the summary is made and is in the next request. */
export const summaryScenario: Scenario = { ...usual.story, answerTo: mindful };

/** The same during a turn, whose request may or may not have the summary. */
export const busySummaryScenario: Scenario = { ...busy.story, answerTo: careless(busy), callsAtOnce: 2 };

/** For the fault sweep: a summary that could not be made changes nothing that people see. */
export const summaryStories: readonly Scenario[] = [conversation(2, 390, false), conversation(3, 300, true)].map(
  (small) => ({
    ...small.story,
    answerTo: careless(small),
    variables: { MODELS: JSON.stringify([{ id: "scripted 1", model: "m1", contextTokens: FEW_TOKENS }]) },
  }),
);
