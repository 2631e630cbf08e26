// Tool: lists the channel's reminders that are not yet due.
import { object } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** How many are listed with their full texts. If there are more, only the beginning of each text is shown. */
const FEW = 20;
const BEGINNING_CHARS = 80;

interface Listed {
  pending: { origin?: string }[];
}

/** Lists everyone's reminders, because they will all appear in this channel anyway. May run twice. */
export const listReminders = defineTool({
  name: "list_reminders",
  description:
    "Lists this channel's pending reminders, soonest first, each with its number, text, person and time, and its rule if it repeats. Use it when somebody asks what reminders there are, and to find the number of one to cancel.",
  input: object({}),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.list_reminders,
  untrusted: (data) => (data as Listed).pending.some(({ origin }) => origin !== undefined),
  requires: { services: ["reminders"] },
  // Even as many as a channel may have, escaped as JSON, stay below this.
  maxResultChars: 60_000,
  execute(_input, { reminders, userId, beginning }) {
    const all = reminders.pending();
    const shortened = (text: string) =>
      all.length > FEW && text.length > BEGINNING_CHARS ? `${beginning(text, BEGINNING_CHARS)}…` : text;
    const pending = all.map(({ number, text, userId: owner, dueAt, every, isPaused, origin }) => ({
      number,
      text: shortened(text),
      for: `<@${owner}>`,
      ofThisPerson: owner === userId,
      dueAt: new Date(dueAt).toISOString(),
      timestamp: `<t:${Math.floor(dueAt / 1000)}:F>`,
      ...(every !== undefined && { every }),
      ...(origin && { origin }),
      ...(isPaused && { paused: "it failed three times in a row; set it again to continue it" }),
    }));
    return { ok: true, data: { pending } };
  },
});
