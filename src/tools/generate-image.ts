// Tool: draws a picture with the installation's image model. It is attached to the answer.
import { describe, maxLength, minLength, object, string, trim } from "zod/mini";
import { ASKING } from "../core/deliberate/asking-words.ts";
import { defineTool } from "../toolkit/define/tool.ts";

const MAX_PROMPT_CHARS = 4000;
const PICTURE = "(?:picture|image|illustration|drawing|painting|portrait|wallpaper|logo)";

/** Costs money each time, so that it is never repeated. */
export const generateImage = defineTool({
  name: "generate_image",
  description:
    "Draws a picture from a description; it is attached to your answer, where people see it and you do not. Each costs money: only when somebody asks for a picture, once for each that they want. Say plainly when it fails or is refused.",
  input: object({
    prompt: string().check(
      trim(),
      minLength(1),
      maxLength(MAX_PROMPT_CHARS),
      describe(
        "All that is to be seen: subject, setting, style, colours, words in it. In English, it is all that the artist knows.",
      ),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  triggers: {
    patterns: [
      `${ASKING}(?:draw|paint|sketch) (?:me|us|a|an|another|some|two|three|my|our) `,
      `(?:^|[,:.!?] |\\b(?:please|you|and|now|just) )(?:generate|create|make|design|render) (?:me |us )?(?:a|an|another|some|two|three) .{0,9}\\b${PICTURE}`,
      `${ASKING}(?:generate|create|make) (?:me |us )?${PICTURE}s? (?:of|with|for|showing) `,
      "\\b(?:need|like) you to (?:draw|paint|sketch) ",
      "(?:^|\\b(?:bitte|kannst du) )(?:male|mal|zeichne) (?:bitte )?(?:mir |uns )?(?:ein|eine|einen) ",
      "\\bkannst du .{0,20}\\b(?:ein|eine|einen) .{0,24}\\b(?:malen|zeichnen)\\b",
      "\\b(?:erstelle|generiere|mach) (?:mir |uns |bitte )?(?:ein|eine) .{0,20}(?:bild|logo)\\b",
      "\\b(?:dessine|dibuja|disegna).{0,4} un",
      "(?:画|畫)(?:一|个|個|只|幅)|生成.{0,6}(?:图片|圖片|图像)|(?:絵|イラスト)を描|画像を(?:生成|作)|그림.{0,3}그려|이미지.{0,3}(?:생성|만들)",
    ],
  },
  timeoutMs: 120_000,
  requires: { services: ["draw"] },
  async execute({ prompt }, { draw, signal }) {
    const drawn = await draw(prompt, signal);
    if (!drawn.ok) return drawn;
    const { type, data } = drawn;
    return {
      ok: true,
      data: { drawn: true, note: "it is attached to your answer; don't describe what you have not seen" },
      files: [{ name: "drawing", type, data }],
    };
  },
});
