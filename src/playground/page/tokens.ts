// What a message has besides its words: a poll, reactions, a pin, the thread that starts there. Draws; changes nothing.
import { type Child, element } from "./element.ts";
import type { LocalMessage } from "./world.ts";

/** All of these for one message, in Discord's order; nothing for most messages. */
export function drawTokens({ poll, reactions = [], pinned, thread }: LocalMessage): Child[] {
  return [
    poll && drawPoll(poll),
    reactions.length > 0 && element("div", { class: "reactions" }, ...reactions.map(drawReaction)),
    pinned && element("span", { class: "pill" }, "📌 pinned"),
    thread && element("a", { class: "pill", href: `?channel=${thread.id}` }, `# ${thread.name}`),
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

const drawReaction = ({ emoji, count }: { emoji: string; count: number }): HTMLElement =>
  element("span", { class: "reaction" }, `${emoji} ${count}`);
