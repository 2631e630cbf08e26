// Tool: shows the model which message is which, and when each was sent.
import { object } from "zod";
import { defineTool } from "../toolkit/tool.ts";

/** Answers no data but a restart: the loop annotates the conversation and asks the model again. */
export const revealMessageMetadata = defineTool({
  name: "reveal_message_metadata",
  description:
    "Shows you the handle (ref_…) and the time of every message above. Use it when you have to name a message to another tool (to react to it, pin it or open a thread on it), or when it matters when something was said.",
  input: object({}),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: {
    phrases: [
      "when did i say",
      "when did i write",
      "when was that",
      "how long ago",
      "this message",
      "that message",
      "my message",
      "your message",
      "message above",
      "timestamps",
    ],
  },
  execute: () => ({ ok: true, data: { type: "context_restart_message_metadata" } }),
});
