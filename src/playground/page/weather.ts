// Bad weather for the next requests, and time that passes: two levers in the rail, for whoever wants to see what an answer does when
// Discord limits it, breaks off or forgets its token. The names and words are the local Discord's.
import { element, required } from "./element.ts";
import { type Answer, post } from "./world.ts";

/** Requests that one choice spoils. */
const SPELL = 3;
const TOKEN_LIFE_MS = 15 * 60_000;
/** Stands in the list while nothing is chosen. */
const FINE = "fine";

/** Fills the levers; `told` shows what went wrong. */
export async function weatherLevers(told: (answer: Answer) => void): Promise<void> {
  const choice = required("weather", HTMLSelectElement);
  const clock = required("pass-time", HTMLButtonElement);
  const forecasts: Record<string, string> = await fetch("/local/forecasts").then((response) => response.json());
  for (const [name, words] of Object.entries(forecasts)) choice.append(element("option", { value: name }, words));
  choice.addEventListener("change", async () => {
    const forecast = choice.value;
    choice.value = FINE;
    if (forecast !== FINE) told(await post("/local/weather", { forecast, count: SPELL }));
  });
  clock.addEventListener("click", async () => told(await post("/local/clock", { advanceMs: TOKEN_LIFE_MS })));
}
