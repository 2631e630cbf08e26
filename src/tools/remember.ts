// Tool: stores a fact in the channel's long-term memory.

import { boolean, describe, maxLength, minLength, object, optional, string, trim } from "zod/mini";
import { MAX_MEMORIES, MEMORY_CHARS, OWN_FACT_CHARS } from "../core/limits.ts";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Stores a fact. May run twice: the same text is stored only once. */
export const remember = defineTool({
  name: "remember",
  description:
    "Keeps a fact in this channel's long-term memory, permanently and for everybody here. Use it when somebody asks you to remember something or states a lasting fact or preference; never for passwords or other secrets. Returns the fact's number.",
  input: object({
    for_me: optional(
      boolean().check(
        describe(
          "true: the fact belongs to the person who asks and comes only with their own questions, in every channel of this server.",
        ),
      ),
    ),
    text: string().check(
      trim(),
      minLength(1),
      maxLength(MEMORY_CHARS),
      describe(
        "The fact as one self-contained sentence that says whom it is about, such as: Mira is allergic to nuts.",
      ),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.remember,
  requires: { services: ["memories"] },
  async execute({ text, for_me: isOwn = false }, { memories, userId, now, taint }) {
    const origin = taint?.level === "full" ? "untrusted" : "person";
    if (isOwn) {
      if (text.length > OWN_FACT_CHARS)
        return { ok: false, error: `such a fact may have at most ${OWN_FACT_CHARS} characters; shorten it` };
      const kept = (await memories.own?.add(text, origin)) ?? null;
      if (kept === null) return { ok: false, error: "personal facts can't be kept now", retryable: true };
      if (!kept.ok && kept.of === "people")
        return { ok: false, error: `facts about ${kept.limit} people are already kept, which is the maximum` };
      if (!kept.ok)
        return { ok: false, error: `${kept.limit} facts about this person are already kept; forget one first` };
      return { ok: true, data: { number: kept.number, text, for_me: true } };
    }
    const isKept = () => memories.find(text, MAX_MEMORIES).some((one) => one.text === text);
    if (memories.count() >= MAX_MEMORIES && !isKept())
      return { ok: false, error: `the memory is full (${MAX_MEMORIES} facts); forget something first` };
    return { ok: true, data: { number: memories.add({ text, userId, at: now, origin }), text } };
  },
});
