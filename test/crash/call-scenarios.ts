// Scenarios of the crash sweep in which a model writes malformed calls: the tool that it meant runs once.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { byQuestion, question, rounds, type Scenario, type Stage, using } from "./scenario.ts";

const ask = (stage: Stage) => stage.say(PEOPLE.theo, "go");

export const callScenarios: Scenario[] = [
  {
    name: "a turn with a tool whose name the model misspells",
    answerTo: byQuestion({ go: [using("Count"), { texts: ["Done."] }] }),
    play: ask,
    full: { go: "Done." },
    effects: 1,
  },
  {
    name: "a turn with arguments that are not quite JSON",
    answerTo(request) {
      if (!question(request).endsWith("\ngo")) return { texts: ["fine"] };
      if (rounds(request) === 0) return { calls: [{ name: "put", args: "{note: 'milk',}" }, { name: "count" }] };
      const written = request.messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
      // The model sees its own call as the tool got it.
      return { texts: [`It was ${written[0]?.arguments}.`] };
    },
    play: ask,
    full: { go: 'It was {"note":"milk"}.' },
    effects: 1,
  },
];
