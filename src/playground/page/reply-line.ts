// The small line above a reply: whom it answers, and the beginning of what they said. A click goes there.
import { avatar } from "./avatar.ts";
import { type Child, element } from "./element.ts";
import type { Named } from "./mentions.ts";
import { snippet } from "./reply.ts";
import type { LocalMessage } from "./shapes.ts";

/** What the line needs from the page. */
export type AroundReply = {
  /** A message that is shown; undefined if it isn't. */
  find(messageId: string): LocalMessage | undefined;
  goTo(messageId: string): void;
  known(): readonly Named[];
};

/** The line of a message; nothing if it is no reply. */
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
