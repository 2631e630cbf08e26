// Tool: removes a fact from the channel's long-term memory.

import { boolean, describe, int, minimum, object, optional } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Deletes by number. May run twice: a number that is already gone is not an error. */
export const forget = defineTool({
  name: "forget",
  description:
    "Deletes one fact from this channel's long-term memory for good. Use it when somebody asks you to forget something or a fact is wrong; recall shows the numbers.",
  input: object({
    number: int().check(minimum(1), describe("The fact's number, from remember or recall.")),
    for_me: optional(boolean().check(describe("true: the number belongs to a fact about the person who asks."))),
  }),
  category: "async",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  triggers: triggers.forget,
  requires: { services: ["memories"] },
  async execute({ number, for_me: isOwn = false }, { memories }) {
    const isForgotten = isOwn ? ((await memories.own?.remove(number)) ?? null) : memories.remove(number);
    if (isForgotten === null) return { ok: false, error: "personal facts can't be reached now", retryable: true };
    return {
      ok: true,
      data: { number, forgotten: isForgotten },
      ...(isForgotten ? {} : { message: "There is no such fact." }),
    };
  },
});
