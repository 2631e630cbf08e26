// Tool: searches the channel's long-term memory.

import { describe, int, maximum, maxLength, minimum, object, optional, string } from "zod/mini";
import { ASKING } from "../core/deliberate/asking-words.ts";
import { defineTool } from "../toolkit/define/tool.ts";

const USUAL = 10;
const MOST = 30;

interface Found {
  found: { origin?: string }[];
}

/** Searches by words, the best match first. May run twice. */
export const recall = defineTool({
  name: "recall",
  description:
    "Looks up facts in this channel's long-term memory by their words and tells each with its number, who told it and when. Use it before you answer anything about people, plans or preferences that may have been told earlier.",
  input: object({
    query: optional(
      string().check(
        maxLength(500),
        describe("Words that the fact may contain, in its language; left out, the newest facts."),
      ),
    ),
    limit: optional(
      int().check(minimum(1), maximum(MOST), describe(`How many facts at most; ${USUAL} when left out.`)),
    ),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: {
    phrases: ["覚えていますか", "覚えてる？"],
    patterns: [
      "\\bwhat (?:do|did|can) you (?:still )?(?:remember|recall) (?:about|of|from)\\b|\\bwhat do you (?:still )?know about (?:me|us|my|our|him|her|them|this channel)\\b",
      "\\b(?:do|can|did) you (?:still )?(?:remember|recall) (?:my|me|our|us|his|her|their|what (?:i|we)|when (?:i|we|my)|where (?:i|we))\\b",
      "\\bwhat did (?:i|we|he|she|they) (?:tell|teach) you\\b",
      `${ASKING}recall (?:what|my|our|the|everything|who|when|where)\\b`,
      "\\bwhat have you (?:memorised|memorized|remembered|saved|stored|noted)\\b",
      "\\b(?:check|search|consult|show me|list|look in|look through) your (?:long-term )?(?:memory|memories)\\b",
      "\\b(?:is|are|what|what's|anything)\\b.{0,50}\\bin your (?:memory|memories)\\b",
      "\\bwas weißt du (?:noch )?(?:über|von) (?:mich|mir|uns)\\b|\\berinnerst du dich (?:noch )?an (?:mich|(?:mein|meine|meinen)|(?:unser|unsere|unseren))\\b",
      "(?:还记得|你记得).{0,8}(?:我|吗)",
    ],
  },
  untrusted: (data) => (data as Found).found.some(({ origin }) => origin === "untrusted"),
  requires: { services: ["memories"] },
  execute({ query = "", limit = USUAL }, { memories }) {
    const found = memories.find(query, limit).map(({ number, text, userId, at, origin }) => ({
      number,
      text,
      toldBy: `<@${userId}>`,
      toldAt: new Date(at).toISOString(),
      ...(origin === "untrusted" && { origin }),
    }));
    return { ok: true, data: { found, inMemory: memories.count() } };
  },
});
