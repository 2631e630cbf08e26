// The line above the message box for a person whose message gets no answer: the bot hears no messages, or was not asked. Whoever has seen it
// answer knows how to ask, and is not told the second again.
import { required } from "./element.ts";
import { whyUnanswered } from "./sending.ts";
import type { WorldState } from "./shapes.ts";

/** Wires the line. */
export function unansweredLine() {
  const deaf = required("deaf", HTMLElement);
  const aside = required("aside", HTMLElement);
  let hasAnswered = false;
  const show = (why: ReturnType<typeof whyUnanswered>) => {
    deaf.hidden = why !== "deaf";
    aside.hidden = why !== "aside" || hasAnswered;
  };
  return {
    hide: () => show(null),
    /** A message was sent. */
    sent: (...message: Parameters<typeof whyUnanswered>) => show(whyUnanswered(...message)),
    /** What has changed: the bot may listen now, or answer anyway. */
    seen({ bot, typing, messages }: WorldState) {
      if (bot.listens) deaf.hidden = true;
      if (!typing.includes(bot.id) && messages.at(-1)?.author.id !== bot.id) return;
      hasAnswered = true;
      aside.hidden = true;
    },
  };
}
