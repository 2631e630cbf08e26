// Transcribing a sound: what is requested from each kind of provider, what it costs, and what becomes of its refusals.
import { describe, expect, it } from "vitest";
import type { MediaModel } from "../../src/model/media-call.ts";
import { type Sound, transcribe } from "../../src/model/transcribe.ts";

const KEY = "sk-0123456789abcdef";
const SOUND: Sound = { name: "voice-message.ogg", type: "audio/ogg", bytes: new Uint8Array([1, 2, 3]), seconds: 30 };
const { signal } = new AbortController();

/** Asks a provider that gives this answer. */
async function written(answer: () => Response, more: Partial<MediaModel> = {}, sound: Partial<Sound> = {}) {
  const asked: { url: string; type: string | null; form: FormData }[] = [];
  const model: MediaModel = {
    model: "gpt-transcribe",
    baseUrl: "https://api.test/v1",
    apiKey: KEY,
    unitPrice: 0.006,
    async fetch(url, init) {
      asked.push({
        url: String(url),
        type: new Headers(init?.headers).get("content-type"),
        form: init?.body as FormData,
      });
      return answer();
    },
    ...more,
  };
  return { said: await transcribe(model, { ...SOUND, ...sound }, signal), asked };
}
const hears = (more: object = {}) => Response.json({ text: " Hello there. ", ...more });

describe("a sound", () => {
  it("is sent once as a form with its name, and its words come with their price", async () => {
    const { said, asked } = await written(() => hears(), { params: { language: "en", model: "never" } });
    expect(said).toEqual({ ok: true, text: "Hello there.", microUsd: 3000 });
    const [{ url, type, form } = { url: "", type: "", form: new FormData() }, ...others] = asked;
    expect([url, type, others]).toEqual(["https://api.test/v1/audio/transcriptions", null, []]);
    const file = form.get("file") as File;
    expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      "voice-message.ogg",
      "audio/ogg",
      [1, 2, 3],
    ]);
    expect([form.get("model"), form.get("language"), form.get("response_format")]).toEqual([
      "gpt-transcribe",
      "en",
      "json",
    ]);
  });

  it.each([
    ["PTT-20260904-WA0001.opus", "PTT-20260904-WA0001.ogg"],
    ["file_12.OGA", "file_12.ogg"],
    ["opus.mp3", "opus.mp3"],
    ["Grüße von Mira.oga", "Gr_e von Mira.ogg"],
  ])(
    "%s is called %s, because providers refuse the other names of Ogg, and not all read every letter",
    async (name, called) => {
      const { asked } = await written(() => hears(), {}, { name });
      expect(asked.map(({ form }) => (form.get("file") as File).name)).toEqual([called]);
    },
  );

  it.each<[string, () => Response, Partial<Sound>, number]>([
    ["what the provider reports", () => hears({ usage: { cost: 0.01, seconds: 60 } }), {}, 10_000],
    ["the seconds that it counted", () => hears({ usage: { type: "duration", seconds: 60 } }), {}, 6000],
    ["the seconds that Discord names", () => hears(), {}, 3000],
    ["its size", () => hears(), { seconds: undefined, bytes: new Uint8Array(180_000) }, 6000],
  ])("costs by %s", async (_, answer, sound, microUsd) => {
    expect((await written(answer, {}, sound)).said).toMatchObject({ microUsd });
  });

  it("goes to Whisper on Workers AI through its binding", async () => {
    const runs: unknown[] = [];
    const ai = {
      async run(model: string, inputs: object) {
        runs.push([model, inputs]);
        return Response.json({ text: "Hello.", transcription_info: { language: "en", duration: 60 } });
      },
    };
    const model = "@cf/openai/whisper-large-v3-turbo";
    const { said, asked } = await written(() => hears(), { ai, model, unitPrice: 0.0005 });
    expect(said).toEqual({ ok: true, text: "Hello.", microUsd: 500 });
    expect([runs, asked]).toEqual([[[model, { audio: "AQID" }]], []]);
  });

  it.each([
    [10 * 1024 * 1024, 1],
    [10 * 1024 * 1024 + 1, 0],
  ])("of %i bytes is sent to Workers AI %i times, because a Worker has no room for more", async (size, times) => {
    let runs = 0;
    const ai = {
      async run() {
        runs++;
        return Response.json({ text: "Hello." });
      },
    };
    const { said } = await written(() => hears(), { ai, model: "@cf/openai/whisper" }, { bytes: new Uint8Array(size) });
    expect([runs, said.ok]).toEqual([times, times === 1]);
    // Nothing was requested, so nothing is paid.
    expect(said).not.toHaveProperty("mayCost");
  });

  it.each<[string, () => Response, string, object | null, true?]>([
    [
      "for a wrong key, which is not repeated",
      () => Response.json({ error: { message: `Incorrect API key provided: ${KEY}` } }, { status: 401 }),
      "Incorrect API key provided: [key]",
      { reason: "auth", status: 401 },
    ],
    ["without words", () => Response.json({ segments: [] }), "the provider's answer has no words", null, true],
    [
      "in half an answer, after which it may cost",
      () => new Response("{"),
      "an answer that can't be read: {",
      { reason: "bad_stream" },
      true,
    ],
  ])("has no words %s", async (_, answer, error, failed, mayCost) => {
    const { said } = await written(answer, { model: "ears" });
    const call = failed && { failed: { model: "ears", message: error, ...failed } };
    expect(said).toEqual({ ok: false, error, ...call, ...(mayCost && { mayCost }) });
  });
});
