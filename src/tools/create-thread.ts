// Tool: opens a public thread after a person has approved it.

import { describe, literal, maxLength, minLength, object, optional, string, trim } from "zod/mini";
import { noMessage } from "../core/copy/tool-needs.ts";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

const ARCHIVE_MINUTES = { hour: 60, day: 1440, "3 days": 4320, week: 10_080 } as const;

/** Opens one thread; must not run twice. A message can have at most one thread. */
export const createThread = defineTool({
  name: "create_thread",
  description:
    "Opens a public thread in this channel, on a message or on its own. Somebody must approve it first. Use it when somebody wants a thread; to get a message's handle, call reveal_message_metadata or read_recent_messages first.",
  input: object({
    name: string().check(trim(), minLength(1), maxLength(100), describe("The thread's name.")),
    message: optional(string().check(describe("The message to open it on: its handle (ref_…), id or link."))),
    archiveAfter: optional(
      literal(["hour", "day", "3 days", "week"]).check(describe("Inactivity before it is archived; a day if omitted.")),
    ),
  }),
  category: "dangerous",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  triggers: triggers.create_thread,
  requires: { services: ["actions", "messageId"], permissions: ["CREATE_PUBLIC_THREADS"] },
  objection: ({ message }, { messageId }) =>
    message?.trim() && messageId(message) === null ? noMessage(message) : null,
  concerns: ({ message }, { messageId }) => (message?.trim() ? messageId(message) : null),
  async execute({ name, message, archiveAfter = "day" }, { actions, messageId, userId, signal }) {
    const id = message?.trim() ? messageId(message) : null;
    if (message?.trim() && id === null) return { ok: false, error: noMessage(message) };
    const thread = { name, messageId: id, archiveAfterMinutes: ARCHIVE_MINUTES[archiveAfter] };
    const opened = await actions.createThread(thread, `asked by user ${userId}`, signal);
    return opened.ok ? { ok: true, data: { thread: opened.value, mention: `<#${opened.value}>` } } : opened;
  },
});
