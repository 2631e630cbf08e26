// The ports of the models that draw and listen.
import { expect, it } from "vitest";
import { createMedia } from "../../durable-objects/media.ts";
import { parseConfig } from "../../src/config.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";

const configOf = (variables: Record<string, unknown>) => {
  const parsed = parseConfig({
    DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
    DISCORD_APPLICATION_ID: "1",
    DISCORD_API_BASE_URL: "http://127.0.0.1/api/v10",
    OPENAI_BASE_URL: "http://127.0.0.1/v1",
    OPENAI_API_KEY: "test",
    ...variables,
  });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config;
};

it("a transcription is given up as soon as the signal fires, even if the connection ignores it, and is still counted", async () => {
  const config = configOf({
    MODELS: JSON.stringify([
      { id: "one", model: "m1" },
      { id: "ears", model: "ears" },
    ]),
    TRANSCRIBE_MODEL: "ears",
  });
  const deaf = Promise.withResolvers<void>();
  const fetch = () => {
    deaf.resolve();
    return new Promise<Response>(() => {});
  };
  const readFile = async () => new Uint8Array([1, 2, 3]);
  const { listen } = createMedia(config, { fetch, web: fetch }, { readFile }, undefined);
  const stop = new AbortController();
  const url = "https://cdn.test/voice.ogg";
  const sound = { id: "1", filename: "voice.ogg", contentType: "audio/ogg", size: 3, url, proxyUrl: url };
  const said = listen?.(sound, stop.signal);
  await deaf.promise;
  stop.abort();
  expect(await said).toEqual({ ok: false, error: "aborted", mayCost: true });
});

it.each([
  ["through the binding if it is one of Workers AI", "@cf/black-forest-labs/flux-1-schnell", ["binding"]],
  ["at its address if it is another provider's", "painter", ["http://127.0.0.1/v1/images/generations"]],
])("a model that draws is asked %s", async (_, model, expected) => {
  const isWorkersAi = model.startsWith("@cf/");
  const painter = { id: "painter", model, ...(isWorkersAi && { provider: "workers-ai" }) };
  const config = configOf({
    MODELS: JSON.stringify([{ id: "one", model: "m1" }, painter]),
    IMAGE_MODEL: "painter",
    AI: { run() {} },
  });
  const asked: string[] = [];
  const fetch = async (url: unknown) => {
    asked.push(String(url));
    return new Response(null, { status: 500 });
  };
  const ai = {
    run: async () => {
      asked.push("binding");
      return new Response(null, { status: 500 });
    },
  };
  const { drawPicture } = createMedia(config, { fetch, web: fetch }, { readFile: async () => null }, ai);
  expect(await drawPicture?.("a cat", new AbortController().signal)).toMatchObject({ ok: false });
  expect(asked).toEqual(expected);
});
