// Tool: the channel's reminders that are still to come.
import { object } from "zod";
import { defineTool } from "../toolkit/tool.ts";

/** Lists everybody's: they will be said in this channel in any case. */
export const listReminders = defineTool({
  name: "list_reminders",
  description:
    "Lists this channel's reminders that are still to come, the next one first, each with its number, text, person and time. Use it when somebody asks what reminders there are, and to find the number of one to cancel.",
  input: object({}),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  requires: { services: ["reminders"] },
  triggers: {
    phrases: ["list reminders", "my reminders", "which reminders", "what reminders", "show reminders", "any reminders"],
  },
  execute(_input, { reminders, userId }) {
    const pending = reminders.pending().map(({ number, text, userId: owner, dueAt }) => ({
      number,
      text,
      for: `<@${owner}>`,
      ofThisPerson: owner === userId,
      dueAt: new Date(dueAt).toISOString(),
      timestamp: `<t:${Math.floor(dueAt / 1000)}:F>`,
    }));
    return { ok: true, data: { pending } };
  },
});
