// Tool: searches the channel's long-term memory.

import { describe, int, maximum, maxLength, minimum, object, optional, string } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

const USUAL = 10;
const MOST = 30;

interface Found {
  found: { origin?: string }[];
}

/** Searches by words, the best match first. May run twice. */
export const recall = defineTool({
  name: "recall",
  description:
    "Looks up facts in this channel's long-term memory by their words. Returns each with its number, who stated it and when. Use it before you answer anything about people, plans or preferences that may have been mentioned earlier.",
  input: object({
    query: optional(
      string().check(
        maxLength(500),
        describe("Words that the fact may contain, in its language; the newest facts if omitted."),
      ),
    ),
    limit: optional(int().check(minimum(1), maximum(MOST), describe(`How many facts at most; ${USUAL} if omitted.`))),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.recall,
  untrusted: (data) => (data as Found).found.some(({ origin }) => origin === "untrusted"),
  requires: { services: ["memories"] },
  // Even the most facts that can be requested, each of the longest kind and escaped as JSON, stay below this.
  maxResultChars: 40_000,
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
