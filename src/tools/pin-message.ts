// Tool: pins a message after a person has approved it.

import { describe, object, string } from "zod/mini";
import { noMessage } from "../core/copy/tool-needs.ts";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Pins one message. May run twice: a pinned message stays pinned. */
export const pinMessage = defineTool({
  name: "pin_message",
  description:
    "Pins a message in this channel for everybody. Somebody must approve it first. Use it when somebody wants a message pinned; to get its handle, call reveal_message_metadata or read_recent_messages first.",
  input: object({ message: string().check(describe("The message: its handle (ref_…), id or link.")) }),
  category: "dangerous",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.pin_message,
  requires: { services: ["actions", "messageId"], permissions: ["PIN_MESSAGES"] },
  objection: ({ message }, { messageId }) => (messageId(message) === null ? noMessage(message) : null),
  concerns: ({ message }, { messageId }) => messageId(message),
  async execute({ message }, { actions, messageId, userId, signal }) {
    const id = messageId(message);
    if (id === null) return { ok: false, error: noMessage(message) };
    const pinned = await actions.pinMessage(id, `asked by user ${userId}`, signal);
    return pinned.ok ? { ok: true, data: { message: id, pinned: true } } : pinned;
  },
});
