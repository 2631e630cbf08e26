// A model that its provider has retired, and the one that replaces it.
import { expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

it("a model replaces, with its own price, one that its provider no longer knows, and only once", async () => {
  const asked: unknown[] = [];
  const gone = { error: { message: "The model `old` does not exist", code: "model_not_found" } };
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { model } = (await new Response(init?.body).json()) as { model: string };
    asked.push(model);
    return model === "old" ? Response.json(gone, { status: 404 }) : new Response(sse(piece({ content: "ok" }, "stop")));
  };
  const [cheap, dear] = [1, 2].map((input) => ({ input, output: 1 }));
  if (!cheap || !dear) throw new Error("there are no prices");
  const place = { apiKey: "", baseUrl: "http://m.test", price: cheap, fetch };
  const model = createOpenAiModel({ ...place, model: "old", successor: { model: "new", price: dear } });
  const ask = async () =>
    (await Array.fromAsync(model.stream(question(), new AbortController().signal))).map(({ kind }) => kind);
  expect([await ask(), model.name, model.price]).toEqual([["failed"], "old", cheap]);
  expect(model.succeed?.()).toBe(true);
  expect([await ask(), model.name, model.price, model.succeed?.()]).toEqual([["text", "end"], "new", dear, false]);
  expect([asked, createOpenAiModel({ ...place, model: "old" }).succeed?.()]).toEqual([["old", "new"], false]);
});
