// The small line above a reply: whom it answers, and the beginning of what they said. A click goes to that message.
import { avatar } from "./avatar.ts";
import { type Child, element } from "./element.ts";
import type { Named } from "./mentions.ts";
import { snippet } from "./reply.ts";
import type { LocalMessage } from "./shapes.ts";

/** What the line needs from the page. */
export type AroundReply = {
  /** Finds a shown message; undefined if it isn't shown. */
  find(messageId: string): LocalMessage | undefined;
  goTo(messageId: string): void;
  known(): readonly Named[];
};

/** Draws the line of a message; nothing if it is not a reply. */
export function drawReplyLine({ repliesTo }: LocalMessage, around: AroundReply): Child[] {
  if (repliesTo === undefined) return [];
  if (repliesTo === null) return [element("em", { class: "quoted" }, "The original message was deleted")];
  const { id, author, content, pings } = repliesTo;
  const original = around.find(id);
  const words = snippet({ content }, around.known());
  const line = element(
    "button",
    { type: "button", class: "quoted", title: `Go to the message of ${author}` },
    words === "" ? element("em", {}, "Go to the message") : words,
  );
  line.addEventListener("click", () => around.goTo(id));
  return [original && avatar(original.author), element("strong", {}, pings ? `@${author}` : author), line];
}
