// Draws what a message has besides its text: a poll, reactions, a pin, the thread that starts there. Changes nothing.
import { type Child, element } from "./element.ts";
import { channelLink } from "./prose.ts";
import type { LocalMessage } from "./shapes.ts";

/** Draws all of these for one message, in Discord's order; nothing for most messages. `react` adds or removes a reaction. */
export function drawTokens(
  { poll, reactions = [], pinned, thread }: LocalMessage,
  react: (emoji: string, isOn: boolean) => void,
): Child[] {
  return [
    poll && drawPoll(poll),
    reactions.length > 0 && element("div", { class: "reactions" }, ...reactions.map((one) => drawReaction(one, react))),
    pinned && element("span", { class: "pill" }, "📌 pinned"),
    thread && channelLink(thread.id, `# ${thread.name}`, "pill"),
  ];
}

function drawPoll({ question, answers, expiresAt, mayChooseSeveral }: NonNullable<LocalMessage["poll"]>): HTMLElement {
  const until = new Date(expiresAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const how = mayChooseSeveral ? "Choose one or more" : "Choose one";
  return element(
    "div",
    { class: "poll" },
    element("strong", {}, question),
    element("small", {}, `${how}. Open until ${until}.`),
    ...answers.map((answer) => element("div", { class: "choice" }, answer)),
  );
}

function drawReaction(
  { emoji, count, mine = false }: NonNullable<LocalMessage["reactions"]>[number],
  react: (emoji: string, isOn: boolean) => void,
): HTMLElement {
  const drawn = element(
    "button",
    { type: "button", class: "reaction", "aria-pressed": String(mine) },
    `${emoji} ${count}`,
  );
  drawn.addEventListener("click", () => react(emoji, !mine));
  return drawn;
}
