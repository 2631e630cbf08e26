// A picture that a model's server can't read is left out of this request, which is asked again; nothing is learned from it. A remote tool
// may return such a picture in the middle of a turn.
import { expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

const messages = [
  { role: "user" as const, text: "look" },
  { role: "user" as const, text: "", images: ["data:image/png;base64,iVBORw0KGgoAAAAA"] },
];
const told = "[you can't see 1 of the pictures]";

/** A model whose server gives this refusal while there is a picture, or always. */
function refusing(body: unknown, isAlways = false) {
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const sent = (await new Response(init?.body).json()) as { messages: { content: unknown }[] };
    const content = sent.messages.at(-1)?.content;
    asked.push(Array.isArray(content) ? "picture" : content);
    const isRefused = isAlways || Array.isArray(content);
    return isRefused
      ? Response.json(body, { status: 400 })
      : new Response(sse(piece({ content: "ok" }, "stop")), { headers: { "content-type": "text/event-stream" } });
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const ask = async (isLastModel: boolean) =>
    (await Array.fromAsync(model.stream(question("", { messages, isLastModel }), new AbortController().signal))).at(-1);
  return { asked, model, ask };
}
const said = (message: string, more: object = {}) => ({ error: { message, type: "invalid_request_error", ...more } });

it.each<[string, unknown]>([
  ["Anthropic", said("Could not process image")],
  [
    "Anthropic, its limit",
    said("messages.7.content.2.image: At least one of the image dimensions exceed max allowed size: 8000 pixels"),
  ],
  ["Anthropic, its type", said("messages.1: Image does not match the provided media type image/png")],
  ["Anthropic, its size", said("image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes")],
  [
    "OpenAI",
    said("You uploaded an unsupported image. Please make sure your image is valid.", { code: "invalid_image_format" }),
  ],
  [
    "Gemini",
    { error: { code: 400, message: "Unable to process input image. Please retry.", status: "INVALID_ARGUMENT" } },
  ],
  ["vLLM", { object: "error", message: "cannot identify image file <_io.BytesIO object>", code: 400 }],
])("is left out of the request that it would break, and of no other: %s", async (_, body) => {
  const { asked, model, ask } = refusing(body);
  // Another model could not read it either.
  for (const end of [await ask(true), await ask(false)]) expect(end).toMatchObject({ kind: "end" });
  expect(asked).toEqual(["picture", told, "picture", told]);
  expect(model.images).toBe(true);
});

it("is left out once: a request that is still refused is a refusal", async () => {
  const { asked, ask } = refusing(said("Could not process image"), true);
  expect(await ask(true)).toMatchObject({ kind: "failed", failure: { reason: "refused" } });
  expect(asked).toEqual(["picture", told]);
});
