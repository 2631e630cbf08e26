// Tool: keeps a fact in the channel's long-term memory.
import { object, string } from "zod";
import { MAX_MEMORIES, MEMORY_CHARS } from "../core/limits.ts";
import { defineTool } from "../toolkit/tool.ts";

/** Keeps a text once, however often it is told. */
export const remember = defineTool({
  name: "remember",
  description:
    "Keeps a fact in this channel's long-term memory, for good and for everybody here. Use it when somebody asks you to remember something or states a lasting fact or preference; never for passwords or other secrets. Tells the fact's number.",
  input: object({
    text: string()
      .trim()
      .min(1)
      .max(MEMORY_CHARS)
      .describe(
        "The fact as one self-contained sentence that names whom it is about, such as: Mira is allergic to nuts.",
      ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  requires: { services: ["memories"] },
  triggers: {
    phrases: ["remember", "don't forget", "do not forget", "keep in mind", "note that", "for the record", "memorize"],
  },
  execute({ text }, { memories, userId, now }) {
    if (memories.count() >= MAX_MEMORIES)
      return { ok: false, error: `the memory is full (${MAX_MEMORIES} facts); something has to be forgotten first` };
    return { ok: true, data: { number: memories.add({ text, userId, at: now }), text } };
  },
});
