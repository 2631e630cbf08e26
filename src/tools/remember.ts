// Tool: stores a fact in the channel's long-term memory.

import { describe, maxLength, minLength, object, string, trim } from "zod/mini";
import { ASKING } from "../core/deliberate/asking-words.ts";
import { MAX_MEMORIES, MEMORY_CHARS } from "../core/limits.ts";
import { defineTool } from "../toolkit/define/tool.ts";

/** May run twice: the same text is stored only once. */
export const remember = defineTool({
  name: "remember",
  description:
    "Keeps a fact in this channel's long-term memory, for good and for everybody here. Use it when somebody asks you to remember something or states a lasting fact or preference; never for passwords or other secrets. Tells the fact's number.",
  input: object({
    text: string().check(
      trim(),
      minLength(1),
      maxLength(MEMORY_CHARS),
      describe(
        "The fact as one self-contained sentence that names whom it is about, such as: Mira is allergic to nuts.",
      ),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: {
    phrases: [
      "note that down",
      "write that down",
      "note this down",
      "请记住",
      "记住我",
      "帮我记",
      "覚えておいて",
      "기억해 줘",
      "기억해줘",
    ],
    patterns: [
      `(?:${ASKING}|\\bfrom now on )remember (?:that )?(?:this|my|our|i|i'm|i've|we|we're|he|she|his|her|they|to (?:call|always|never|use|answer|speak))\\b`,
      "\\b(?:don't|do not|never) forget (?:that (?:i|we|my|our|he|she)|i'm|i am|i like|i have|my (?:name|birthday|address))\\b",
      `${ASKING}keep in mind\\b`,
      `${ASKING}(?:memorise|memorize)\\b`,
      "\\b(?:save|store|add|put|write|commit|keep) .{0,60}\\b(?:to|in|into) (?:your |your long-term |long-term )memory\\b",
      "\\bmerke? dir,? (?:bitte |mal )?(?:dass|(?:mein|meine|meinen)|(?:unser|unsere|unseren)|ich)\\b",
    ],
  },
  requires: { services: ["memories"] },
  execute({ text }, { memories, userId, now, taint }) {
    if (memories.count() >= MAX_MEMORIES)
      return { ok: false, error: `the memory is full (${MAX_MEMORIES} facts); something has to be forgotten first` };
    const origin = taint?.level === "full" ? ({ origin: "untrusted" } as const) : {};
    return { ok: true, data: { number: memories.add({ text, userId, at: now, ...origin }), text } };
  },
});
