// Tool: cancels a reminder that is not yet due.
import { describe, int, minimum, object } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** People may cancel their own, a moderator anyone's. May run twice: a reminder that is already gone is not an error. */
export const cancelReminder = defineTool({
  name: "cancel_reminder",
  description:
    "Cancels a reminder of the person who asks; a moderator may cancel anybody's. Get the number from list_reminders; never guess it.",
  input: object({ number: int().check(minimum(1), describe("The reminder's number.")) }),
  category: "async",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  triggers: triggers.cancel_reminder,
  requires: { services: ["reminders"] },
  execute({ number }, { reminders }) {
    const outcome = reminders.cancel(number);
    if (outcome === "not_yours")
      return { ok: false, error: `reminder ${number} is somebody else's; only they or a moderator may cancel it` };
    const isCancelled = outcome === "cancelled";
    return {
      ok: true,
      data: { number, cancelled: isCancelled },
      ...(isCancelled ? {} : { message: "That reminder no longer exists." }),
    };
  },
});
