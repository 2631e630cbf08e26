// Trouble on demand: with Discord, with the model, with tools, with time, and with the runtime itself. The kinds and their words come
// from the playground.
import { element } from "../element.ts";
import { type Answer, post } from "../world.ts";
import { howOften } from "./counts.ts";
import type { Tab } from "./tabs.ts";

const TOKEN_LIFE_MS = 15 * 60_000;
const MANY = 3;

/** Creates the tab. `showAnswer` shows the error if a request fails. */
export function faultsTab(showAnswer: (answer: Answer) => Answer): Tab {
  const said = element("p", { class: "sum", role: "status" }, "Choose what goes wrong next.");
  const act = async (path: string, body: object, words: string) => {
    if (showAnswer(await post(path, body)).ok) said.textContent = words;
  };
  const discord = chooser("Discord", "the next requests to Discord", MANY, (kind, count, words) =>
    act("/local/weather", { forecast: kind, count }, `Discord, ${howOften(count)}: ${words}.`),
  );
  const spoil = (kind: string, count: number, words: string) =>
    act("/local/mishaps", { mishap: kind, count }, `Next, ${howOften(count)}: ${words}. Now ask something.`);
  const model = chooser("Model", "the next answers of the local model", 1, spoil);
  const tools = chooser("Tools", "what the local model calls next", 1, spoil);
  const time = lever("Let 15 minutes pass for Discord", "This ends the tokens of all answers so far.", () =>
    act("/local/clock", { advanceMs: TOKEN_LIFE_MS }, "15 minutes have passed for Discord."),
  );
  const kill = lever("kill -9 the runtime", "Both Workers and the local model die at once, and start again.", () =>
    act("/launcher/kill", {}, "Killed. It starts again by itself."),
  );
  let isRead = false;
  const read = async () => {
    if (isRead) return;
    isRead = true;
    const get = (path: string) => fetch(path).then((response) => response.json());
    try {
      const [forecasts, mishaps] = await Promise.all([get("/local/forecasts"), get("/local/mishaps")]);
      discord.offer(forecasts);
      model.offer(mishaps.model);
      tools.offer(mishaps.tools);
    } catch {
      isRead = false;
    }
  };
  return {
    name: "faults",
    label: "Faults",
    node: element("section", { class: "faults" }, said, discord.node, model.node, tools.node, time, kill),
    follow: () => {
      void read();
      return () => {};
    },
  };
}

/** Draws a form with the kind of trouble, how often, and a button. */
function chooser(
  title: string,
  what: string,
  count: number,
  act: (kind: string, count: number, words: string) => Promise<void>,
) {
  const kind = element("select", { class: "lever", "aria-label": `${title}: what goes wrong` });
  const times = element("input", {
    type: "number",
    min: "1",
    max: "20",
    class: "lever",
    "aria-label": `${title}: how often`,
  });
  times.value = String(count);
  const go = element("button", { type: "submit", class: "button primary" }, "Do it");
  const form = element(
    "form",
    { class: "trouble" },
    element("h3", {}, title),
    element("small", {}, what),
    element("div", { class: "choice-row" }, kind, times, go),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(kind.value, Number(times.value), kind.selectedOptions[0]?.textContent ?? "");
  });
  return {
    node: form,
    offer: (kinds: Record<string, string>) =>
      kind.replaceChildren(...Object.entries(kinds).map(([value, words]) => element("option", { value }, words))),
  };
}

function lever(label: string, what: string, act: () => Promise<void>): HTMLElement {
  const button = element("button", { type: "button", class: "button secondary" }, label);
  button.addEventListener("click", () => void act());
  return element("div", { class: "trouble" }, button, element("small", {}, what));
}
