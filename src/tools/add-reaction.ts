// Tool: reacts to a message with an emoji.

import { describe, maxLength, minLength, object, string, trim } from "zod/mini";
import { noMessage } from "../core/copy/tool-needs.ts";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Sends one request. May run twice: a repeated reaction changes nothing. */
export const addReaction = defineTool({
  name: "add_reaction",
  description:
    "Adds your reaction to a message in this channel. Use it when somebody wants you to react to a message or mark it; to get its handle, call reveal_message_metadata or read_recent_messages first.",
  input: object({
    message: string().check(describe("The message: its handle (ref_…), id or link.")),
    emoji: string().check(
      trim(),
      minLength(1),
      maxLength(60),
      describe("One emoji, such as 👍, or a server emoji as <:name:id>."),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.add_reaction,
  requires: { services: ["actions", "messageId"], permissions: ["ADD_REACTIONS"] },
  objection: ({ message }, { messageId }) => (messageId(message) === null ? noMessage(message) : null),
  concerns: ({ message }, { messageId }) => messageId(message),
  async execute({ message, emoji }, { actions, messageId, signal }) {
    const id = messageId(message);
    if (id === null) return { ok: false, error: noMessage(message) };
    const added = await actions.addReaction(id, emoji, signal);
    return added.ok ? { ok: true, data: { message: id, emoji } } : added;
  },
});
