// The tools that appear on a message under the pointer or the keyboard's focus: reply, react, edit, delete, and the commands for a message.
// Only calls the actions.
import { element } from "./element.ts";
import { canReplyTo } from "./reply.ts";
import type { LocalMessage } from "./shapes.ts";

/** What the tools call. */
export type ToolActions = {
  /** The id of the person who speaks. */
  me(): string;
  /** The names of the commands for a message. */
  menu(): readonly string[];
  useOn(messageId: string, name: string): void;
  reply(message: LocalMessage): void;
  react(messageId: string, emoji: string, isOn: boolean): void;
  remove(messageId: string): void;
};

const EMOJI = ["👍", "❤️", "😂", "🎉", "👀"];

/** Whether the viewer wrote the message. */
export const isOwn = ({ author, deed }: LocalMessage, me: string): boolean => author.id === me && deed === undefined;

/** Draws the tools of a message; none for a message that only one person sees. */
export function drawTools(message: LocalMessage, actions: ToolActions, edit: () => void): HTMLElement[] {
  const { id, ephemeral, failed } = message;
  if (ephemeral || failed !== undefined) return [];
  const own = isOwn(message, actions.me());
  const quick = element(
    "span",
    { class: "quick", hidden: true },
    ...EMOJI.map((emoji) => {
      const isMine = message.reactions?.some((one) => one.emoji === emoji && one.mine) ?? false;
      return tool(emoji, `React with ${emoji}`, () => actions.react(id, emoji, !isMine));
    }),
  );
  const react = tool("☺", "React", () => {
    quick.hidden = !quick.hidden;
    react.setAttribute("aria-expanded", String(!quick.hidden));
  });
  react.setAttribute("aria-expanded", "false");
  return [
    react,
    quick,
    ...(canReplyTo(message) ? [tool("↩", "Reply", () => actions.reply(message))] : []),
    ...(own ? [tool("✎", "Edit", edit), tool("🗑", "Delete", () => actions.remove(id))] : []),
    ...actions.menu().map((name) => tool(name, undefined, () => actions.useOn(id, name))),
  ];
}

function tool(text: string, label: string | undefined, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "menu-entry", "aria-label": label, title: label }, text);
  made.addEventListener("click", act);
  return made;
}
