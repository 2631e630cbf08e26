// The local model listens and draws as a provider does, for Parley's own requests.
import { expect, it } from "vitest";
import { makePicture } from "../../src/model/make-picture.ts";
import { transcribe } from "../../src/model/transcribe.ts";
import { SPOKEN } from "../../src/playground/model/media.ts";
import { createLocalModel } from "../../src/playground/model/model.ts";

const local = createLocalModel({ now: () => 0, sleep: async () => {} });
const { signal } = new AbortController();
const model = {
  model: "parley-local",
  baseUrl: "http://local.test/v1",
  apiKey: "local",
  fetch: (url: string | URL | Request, init?: RequestInit) => local.fetch(new Request(url, init)),
};

it("the local model transcribes a sound and draws a picture", async () => {
  const sound = { name: "voice-message.ogg", type: "audio/ogg", bytes: new Uint8Array([1]) };
  expect(await transcribe(model, sound, signal)).toEqual({ ok: true, text: SPOKEN, microUsd: null });
  const made = await makePicture(model, "a dot", () => Promise.reject(new Error("none")), signal);
  expect(made).toMatchObject({ ok: true, type: "image/png", microUsd: null });
});
