// Tool: takes a fact out of the channel's long-term memory.
import { number, object } from "zod";
import { defineTool } from "../toolkit/tool.ts";

/** Deletes by number; a number that is gone already is no failure. */
export const forget = defineTool({
  name: "forget",
  description:
    "Deletes one fact from this channel's long-term memory, for good. Use it when somebody asks you to forget something or a fact is wrong; recall tells the numbers.",
  input: object({ number: number().int().min(1).describe("The fact's number, as remember and recall tell it.") }),
  category: "async",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  requires: { services: ["memories"] },
  triggers: {
    phrases: ["forget that", "forget what", "forget about", "forget the", "forget my", "delete from memory"],
    patterns: [/\bforget\s+(?:fact|memory|number|#)?\s*\d/i],
  },
  execute({ number }, { memories }) {
    const isForgotten = memories.remove(number);
    return {
      ok: true,
      data: { number, forgotten: isForgotten },
      ...(isForgotten ? {} : { message: "There is no such fact." }),
    };
  },
});
