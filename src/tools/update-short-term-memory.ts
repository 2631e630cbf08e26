// Tool: rewrites the notes that stand in every prompt of the channel.
import { object, string } from "zod";
import { NOTES_CHARS } from "../core/limits.ts";
import { defineTool } from "../toolkit/tool.ts";

/** Replaces the whole text, so the same call twice changes nothing more. */
export const updateShortTermMemory = defineTool({
  name: "update_short_term_memory",
  description:
    "Rewrites your notes about what is going on in this channel: current topic, open questions, who wants what. They stand in every later prompt, so keep them short and current. Say your answer to the person before you call this; after it the turn is over.",
  input: object({
    notes: string()
      .trim()
      .max(NOTES_CHARS)
      .describe("The whole notes as they shall be from now on; an empty text clears them."),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  requires: { services: ["notes"] },
  triggers: {
    phrases: ["short-term memory", "short term memory", "your notes", "take notes", "make a note", "note to yourself"],
  },
  execute({ notes: text }, { notes }) {
    notes.write(text);
    return { ok: true, data: { characters: text.length } };
  },
});
