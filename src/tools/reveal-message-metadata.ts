// Tool: shows the model the handle of each message and when it was sent.
import { object } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Returns a context restart instead of data: the loop annotates the conversation and asks the model again. May run twice. */
export const revealMessageMetadata = defineTool({
  name: "reveal_message_metadata",
  description:
    "Shows you the handle (ref_…) and the time of every message above. Use it when another tool needs to know which message you mean (to react to it, pin it or open a thread on it), or when it matters when something was said.",
  input: object({}),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.reveal_message_metadata,
  execute: () => ({ ok: true, data: { type: "context_restart_message_metadata" } }),
});
