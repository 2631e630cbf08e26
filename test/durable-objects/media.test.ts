// The ports of the models that draw and listen.
import { expect, it } from "vitest";
import { createMedia } from "../../durable-objects/media.ts";
import { parseConfig } from "../../src/config.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";

it("a sound is given up as soon as the signal fires, also where the connection is deaf to it, and counts", async () => {
  const parsed = parseConfig({
    DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
    DISCORD_APPLICATION_ID: "1",
    DISCORD_API_BASE_URL: "http://127.0.0.1/api/v10",
    OPENAI_BASE_URL: "http://127.0.0.1/v1",
    OPENAI_API_KEY: "test",
    MODELS: JSON.stringify([
      { id: "one", model: "m1" },
      { id: "ears", model: "ears" },
    ]),
    TRANSCRIBE_MODEL: "ears",
  });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const deaf = Promise.withResolvers<void>();
  const fetch = () => {
    deaf.resolve();
    return new Promise<Response>(() => {});
  };
  const readFile = async () => new Uint8Array([1, 2, 3]);
  const { listen } = createMedia(parsed.config, { fetch, web: fetch }, { readFile }, undefined);
  const stop = new AbortController();
  const url = "https://cdn.test/voice.ogg";
  const sound = { id: "1", filename: "voice.ogg", contentType: "audio/ogg", size: 3, url, proxyUrl: url };
  const said = listen?.(sound, stop.signal);
  await deaf.promise;
  stop.abort();
  expect(await said).toEqual({ ok: false, error: "aborted", mayCost: true });
});
