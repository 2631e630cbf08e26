// Bad weather for the next requests, and time that passes: two controls in the rail to see how an answer behaves when Discord
// limits it, breaks off or forgets its token. The names and words come from the local Discord.
import { element, required } from "./element.ts";
import { type Answer, post } from "./world.ts";

/** How many requests one choice spoils. */
const SPELL = 3;
const TOKEN_LIFE_MS = 15 * 60_000;
/** The list's value while nothing is chosen. */
const FINE = "fine";

/** Fills the controls; `showAnswer` shows what went wrong. */
export async function weatherLevers(showAnswer: (answer: Answer) => void): Promise<void> {
  const choice = required("weather", HTMLSelectElement);
  const clock = required("pass-time", HTMLButtonElement);
  const forecasts: Record<string, string> = await fetch("/local/forecasts").then((response) => response.json());
  for (const [name, words] of Object.entries(forecasts)) choice.append(element("option", { value: name }, words));
  choice.addEventListener("change", async () => {
    const forecast = choice.value;
    choice.value = FINE;
    if (forecast !== FINE) showAnswer(await post("/local/weather", { forecast, count: SPELL }));
  });
  clock.addEventListener("click", async () => showAnswer(await post("/local/clock", { advanceMs: TOKEN_LIFE_MS })));
}
