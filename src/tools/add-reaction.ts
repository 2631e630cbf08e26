// Tool: reacts to a message with an emoji.
import { object, string } from "zod";
import { defineTool } from "../toolkit/tool.ts";

/** One request; the same reaction twice is one. */
export const addReaction = defineTool({
  name: "add_reaction",
  description:
    "Adds your reaction to a message of this channel. Use it when somebody wants you to react or to mark a message; to name the message, call reveal_message_metadata or read_recent_messages first.",
  input: object({
    message: string().describe("The message: its handle (ref_…), id or link."),
    emoji: string().trim().min(1).max(60).describe("One emoji, such as 👍, or a server's own as <:name:id>."),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  requires: { services: ["actions", "messageId"], permissions: ["ADD_REACTIONS"] },
  triggers: { phrases: ["react to", "react with", "add a reaction", "reaction to", "thumbs up", "give it a"] },
  async execute({ message, emoji }, { actions, messageId, signal }) {
    const id = messageId(message);
    if (id === null) return { ok: false, error: `"${message}" is no message of this channel` };
    const added = await actions.addReaction(id, emoji, signal);
    return added.ok ? { ok: true, data: { message: id, emoji } } : added;
  },
});
