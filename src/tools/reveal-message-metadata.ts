// Tool: shows the model the handle of each message and when it was sent.
import { object } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";

/** Returns a context restart instead of data: the loop annotates the conversation and asks the model again. May run twice. */
export const revealMessageMetadata = defineTool({
  name: "reveal_message_metadata",
  description:
    "Shows you the handle (ref_…) and the time of every message above. Use it when you have to name a message to another tool (to react to it, pin it or open a thread on it), or when it matters when something was said.",
  input: object({}),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: {
    patterns: [
      "\\b(?:when|what time) (?:was|were) .{0,40}\\bmessages?\\b|\\bwhen (?:was|were) (?:that|this|it) (?:posted|sent|said)\\b",
      "\\bwhen did .{1,40} (?:say|write|post|send) (?:that|this|it)(?: message)?[?!. ]*$",
      "\\bwho (?:sent|posted|wrote|said|edited) (?:that|this|the|these|those)(?: last| first)? (?:messages?|post)\\b|\\bwho (?:sent|posted|said) (?:that|this|it)[?!. ]*$",
      "\\btimestamps? (?:of|for|on) .{0,30}\\bmessages?\\b",
      "\\b(?:show|give|reveal|list|tell|get|what are|what is|what's)\\b.{0,20}\\bmessage(?:'s)? (?:metadata|ids?|timestamps?)\\b",
      "\\bwann wurde .{0,30}\\bnachricht\\b|\\bwer hat (?:das|die nachricht) (?:geschrieben|geschickt|gepostet)\\b",
      "(?:什么时候|谁).{0,6}(?:发的|发了).{0,6}消息|このメッセージ.{0,4}(?:いつ|誰)",
    ],
  },
  execute: () => ({ ok: true, data: { type: "context_restart_message_metadata" } }),
});
