// Tool: rewrites the notes that are part of every prompt of the channel.

import { describe, maxLength, object, string, trim } from "zod/mini";
import { NOTES_CHARS } from "../core/limits.ts";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Replaces the whole text, so it may run twice. */
export const updateShortTermMemory = defineTool({
  name: "update_short_term_memory",
  description:
    "Rewrites your notes about what is going on in this channel: current topic, open questions, who wants what. They are in every later prompt, so keep them short and current. Answer the person before you call this; it ends your turn.",
  input: object({
    notes: string().check(
      trim(),
      maxLength(NOTES_CHARS),
      describe("The complete new notes; an empty text clears them."),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.update_short_term_memory,
  requires: { services: ["notes"] },
  endsTurnAfterText: true,
  execute({ notes: text }, { notes, taint }) {
    notes.write(text, text !== "" && taint?.level === "full");
    return { ok: true, data: { characters: text.length } };
  },
});
