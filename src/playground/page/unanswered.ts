// The lines above the message box for a person whose message gets no answer: the bot receives no messages, or was not asked. The second line
// is no longer shown once the bot has answered somebody here: the person then knows how to ask.
import { required } from "./element.ts";
import { whyUnanswered } from "./sending.ts";
import type { WorldState } from "./shapes.ts";

/** Wires the lines. */
export function unansweredLine() {
  const deaf = required("deaf", HTMLElement);
  const aside = required("aside", HTMLElement);
  const problems = required("problems", HTMLElement);
  let hasAnswered = false;
  const show = (why: ReturnType<typeof whyUnanswered>) => {
    // A bot that is not configured doesn't answer commands either, and the line at the top says why.
    deaf.hidden = why !== "deaf" || !problems.hidden;
    aside.hidden = why !== "aside" || hasAnswered;
  };
  return {
    hide: () => show(null),
    /** Call this when a message was sent. */
    sent: (...message: Parameters<typeof whyUnanswered>) => show(whyUnanswered(...message)),
    /** Call this when the world has changed: the bot may listen now, or answer anyway. */
    seen({ bot, typing, messages }: WorldState) {
      if (bot.listens) deaf.hidden = true;
      if (!typing.includes(bot.id) && messages.at(-1)?.author.id !== bot.id) return;
      hasAnswered = true;
      aside.hidden = true;
    },
  };
}
