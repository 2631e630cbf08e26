// Tool: draws a picture with the installation's image model. It is attached to the answer.
import { describe, maxLength, minLength, object, string, trim } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

const MAX_PROMPT_CHARS = 4000;

/** Draws the picture. Costs money each time, so it is never repeated. */
export const generateImage = defineTool({
  name: "generate_image",
  description:
    "Draws a picture from a description and attaches it to your answer, where people can see it and you can't. Each one costs money: draw only when somebody asks for a picture, and only as many as they want. Say so plainly if it fails or is refused.",
  input: object({
    prompt: string().check(
      trim(),
      minLength(1),
      maxLength(MAX_PROMPT_CHARS),
      describe(
        "Everything to show: subject, setting, style, colors, words in it. In English; the artist sees nothing else.",
      ),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  triggers: triggers.generate_image,
  timeoutMs: 120_000,
  requires: { services: ["draw"] },
  async execute({ prompt }, { draw, signal }) {
    const drawn = await draw(prompt, signal);
    if (!drawn.ok) return drawn;
    const { type, data } = drawn;
    return {
      ok: true,
      data: { drawn: true, note: "it is attached to your answer; don't describe what you haven't seen" },
      files: [{ name: "drawing", type, data }],
    };
  },
});
