// Tool: looks into the channel's long-term memory.
import { number, object, optional, string } from "zod";
import { defineTool } from "../toolkit/tool.ts";

const USUAL = 10;
const MOST = 30;

/** Finds by words, the best match first. */
export const recall = defineTool({
  name: "recall",
  description:
    "Looks up facts in this channel's long-term memory by their words and tells each with its number, who told it and when. Use it before you answer anything about people, plans or preferences that may have been told earlier.",
  input: object({
    query: optional(
      string().max(500).describe("Words that the fact may contain, in its language; left out, the newest facts."),
    ),
    limit: optional(number().int().min(1).max(MOST).describe(`How many facts at most; ${USUAL} when left out.`)),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  requires: { services: ["memories"] },
  triggers: {
    phrases: [
      "do you remember",
      "what do you know about",
      "what did i tell you",
      "recall",
      "your memory",
      "you remember about",
      "have you remembered",
    ],
  },
  execute({ query = "", limit = USUAL }, { memories }) {
    const found = memories.find(query, limit).map(({ number, text, userId, at }) => ({
      number,
      text,
      toldBy: `<@${userId}>`,
      toldAt: new Date(at).toISOString(),
    }));
    return { ok: true, data: { found, inMemory: memories.count() } };
  },
});
