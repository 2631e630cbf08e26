// Tool: removes a fact from the channel's long-term memory.

import { boolean, describe, int, minimum, object, optional } from "zod/mini";
import { ASKING } from "../core/deliberate/asking-words.ts";
import { defineTool } from "../toolkit/define/tool.ts";

/** Deletes by number. May run twice: a number that is already gone is not an error. */
export const forget = defineTool({
  name: "forget",
  description:
    "Deletes one fact from this channel's long-term memory, for good. Use it when somebody asks you to forget something or a fact is wrong; recall tells the numbers.",
  input: object({
    number: int().check(minimum(1), describe("The fact's number, as remember and recall tell it.")),
    for_me: optional(boolean().check(describe("true: the number is that of a fact of the person who asks."))),
  }),
  category: "async",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  triggers: {
    phrases: ["忘掉我", "忘记我", "忘れてください", "잊어 줘", "잊어줘"],
    patterns: [
      `${ASKING}forget (?:that |about )?(?:my|our|i|i'm|we|what (?:i|we)|everything|all (?:that|of|about))\\b`,
      "\\b(?:delete|erase|remove|wipe|clear) .{0,50}\\bfrom your (?:long-term )?(?:memory|memories)\\b",
      "\\b(?:delete|erase|remove|wipe|clear) (?:that|this|your|all your|these|those) (?:long-term )?(?:memory|memories)\\b",
      "(?:^|[,.] |\\bbitte )vergiss (?:bitte )?(?:meine|meinen|unsere|unseren|dass|alles|was ich)\\b",
    ],
  },
  requires: { services: ["memories"] },
  async execute({ number, for_me: isOwn = false }, { memories }) {
    const isForgotten = isOwn ? ((await memories.own?.remove(number)) ?? null) : memories.remove(number);
    if (isForgotten === null)
      return { ok: false, error: "facts of single people can't be reached now", retryable: true };
    return {
      ok: true,
      data: { number, forgotten: isForgotten },
      ...(isForgotten ? {} : { message: "There is no such fact." }),
    };
  },
});
