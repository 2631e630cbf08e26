// Drawing: what is requested from each kind of provider, and what becomes of its answers and refusals.
import { describe, expect, it } from "vitest";
import { makePicture } from "../../src/model/make-picture.ts";
import type { MediaModel } from "../../src/model/media-call.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
const KEY = "sk-0123456789abcdef";
const { signal } = new AbortController();
/** Where addresses redirect to. */
const MOVED: Readonly<Record<string, string>> = {
  "https://made.test/short": "/long",
  "https://made.test/long": "https://files.test/1.jpg",
  "https://made.test/inside": "http://10.0.0.1/1.jpg",
  "https://made.test/circle": "https://made.test/circle",
};
type Asked = { url: string; body: Record<string, unknown>; key: string | null };

/** Draws with a provider that gives this answer. */
async function draw(
  answer: (url: string) => Response | Promise<Response>,
  more: Partial<MediaModel> = {},
  stop: AbortSignal = signal,
  prompt = "a cat",
) {
  const asked: Asked[] = [];
  const model: MediaModel = {
    model: "gpt-image-1-mini",
    baseUrl: "https://api.test/v1?api-version=3",
    apiKey: KEY,
    unitPrice: 0.04,
    async fetch(url, init) {
      const headers = new Headers(init?.headers);
      asked.push({ url: String(url), body: JSON.parse(String(init?.body)), key: headers.get("authorization") });
      return answer(String(url));
    },
    ...more,
  };
  const read: string[] = [];
  const fetchMade = async (url: string) => {
    read.push(url);
    if (url.includes("10.0.0.1")) throw new Error("its address is not asked");
    const to = MOVED[url];
    return to ? new Response(null, { status: 302, headers: { location: to } }) : new Response(new Uint8Array(JPEG));
  };
  return { made: await makePicture(model, prompt, fetchMade, stop), asked, read };
}
/** An answer whose connection breaks after this text. */
const brokenOff = (beginning: string) => {
  const pieces = [new TextEncoder().encode(beginning)];
  return new Response(
    new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(new Error("Network connection lost."));
      },
    }),
  );
};
const gives = (one: object, more: object = {}) => Response.json({ data: [one], ...more });
const base64 = { b64_json: PNG.toString("base64") };

describe("a picture", () => {
  it("is requested once with the key, and comes with its type, its bytes and its price", async () => {
    const { made, asked } = await draw(() => gives(base64), { params: { size: "1024x1024", prompt: "never" } });
    expect(made).toEqual({ ok: true, type: "image/png", data: new Uint8Array(PNG), microUsd: 40_000 });
    expect(asked).toEqual([
      {
        url: "https://api.test/v1/images/generations?api-version=3",
        key: `Bearer ${KEY}`,
        body: { model: "gpt-image-1-mini", prompt: "a cat", n: 1, output_format: "jpeg", size: "1024x1024" },
      },
    ]);
  });

  it.each([
    ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/images"],
    ["https://openrouter.ai.test/v1", "https://openrouter.ai.test/v1/images/generations"],
  ])("is requested where %s expects it", async (baseUrl, address) => {
    const more = { baseUrl, model: "google/gemini-3.1-flash-image" };
    const { made, asked } = await draw(() => gives(base64, { usage: { total_tokens: 1297, cost: 0.0387 } }), more);
    expect(asked).toMatchObject([{ url: address, body: { model: more.model, prompt: "a cat", n: 1 } }]);
    expect(made).toMatchObject({ ok: true, microUsd: 38_700 });
  });

  it("is read from the address that a provider gives instead", async () => {
    const { made, read } = await draw(() => gives({ url: "https://made.test/1.jpg" }), { model: "flux" });
    expect([made, read]).toEqual([
      { ok: true, type: "image/jpeg", data: new Uint8Array(JPEG), microUsd: 40_000 },
      ["https://made.test/1.jpg"],
    ]);
  });

  it("is read from the list that SiliconFlow gives under another name", async () => {
    const answer = { images: [{ url: "https://made.test/1.jpg" }], timings: { inference: 1.2 }, seed: 7 };
    const { made } = await draw(() => Response.json(answer), { model: "Kwai-Kolors/Kolors" });
    expect(made).toEqual({ ok: true, type: "image/jpeg", data: new Uint8Array(JPEG), microUsd: 40_000 });
  });

  it("is read from the address itself if that contains the bytes", async () => {
    const { made, read } = await draw(() => gives({ url: `data:image/png;base64,${base64.b64_json}` }));
    expect([made, read]).toEqual([{ ok: true, type: "image/png", data: new Uint8Array(PNG), microUsd: 40_000 }, []]);
  });

  it("is read from where a short link leads (Together)", async () => {
    const { made, read } = await draw(() => gives({ url: "https://made.test/short" }), { model: "flux" });
    expect(made).toMatchObject({ ok: true, data: new Uint8Array(JPEG) });
    expect(read).toEqual(["https://made.test/short", "https://made.test/long", "https://files.test/1.jpg"]);
  });

  it("costs what the provider reports, else its price, and without a price an unknown amount", async () => {
    const costOf = async (...args: Parameters<typeof draw>) => {
      const { made } = await draw(...args);
      return made.ok && made.microUsd;
    };
    expect(await costOf(() => gives(base64, { usage: { cost: 0.0123 } }))).toBe(12_300);
    expect(await costOf(() => gives(base64, { usage: { cost_in_usd_ticks: 200_000_000 } }))).toBe(20_000);
    const { unitPrice: _, ...priceless } = { unitPrice: undefined };
    expect(await costOf(() => gives(base64), { ...priceless, unitPrice: 0 })).toBe(0);
  });

  it("of Workers AI comes through its binding, without an address and a key", async () => {
    const runs: unknown[] = [];
    const ai = {
      async run(model: string, inputs: object) {
        runs.push([model, inputs]);
        return Response.json({ image: JPEG.toString("base64") });
      },
    };
    const model = "@cf/black-forest-labs/flux-1-schnell";
    const { made, asked } = await draw(() => Response.error(), { ai, model, params: { steps: 4 } });
    expect(made).toMatchObject({ ok: true, type: "image/jpeg" });
    expect([runs, asked]).toEqual([[[model, { prompt: "a cat", steps: 4 }]], []]);
  });

  it("of FLUX.2 on Workers AI is requested with a form, which is all that it reads", async () => {
    const forms: unknown[] = [];
    const ai = {
      async run(_: string, { multipart = null }: { multipart?: { body: ReadableStream; contentType: string } | null }) {
        const headers = { "content-type": multipart?.contentType ?? "" };
        forms.push([...(await new Response(multipart?.body, { headers }).formData())]);
        return Response.json({ image: JPEG.toString("base64") });
      },
    };
    const model = "@cf/black-forest-labs/flux-2-klein-4b";
    const { made } = await draw(() => Response.error(), { ai, model, params: { width: 1024 } });
    expect(made).toMatchObject({ ok: true, type: "image/jpeg" });
    expect(forms).toEqual([
      [
        ["width", "1024"],
        ["prompt", "a cat"],
      ],
    ]);
  });

  it("of Workers AI is not requested with half of a description that is too long", async () => {
    const prompts: unknown[] = [];
    const ai = {
      async run(_model: string, { prompt }: { prompt?: string }) {
        prompts.push(prompt);
        return Response.json({ image: JPEG.toString("base64") });
      },
    };
    const drawn = async (length: number) =>
      (await draw(() => Response.error(), { ai }, signal, "x".repeat(length))).made;
    expect(await drawn(2048)).toMatchObject({ ok: true });
    expect(await drawn(2049)).toEqual({
      ok: false,
      error:
        "this model accepts descriptions of at most 2048 characters; nothing was drawn, so call again with a shorter one",
      isBlocked: true,
    });
    expect(prompts).toEqual(["x".repeat(2048)]);
  });

  it("of Workers AI may also come as bytes", async () => {
    const ai = { run: async () => new Response(new Uint8Array(PNG), { headers: { "content-type": "image/png" } }) };
    expect((await draw(() => Response.error(), { ai })).made).toMatchObject({ ok: true, type: "image/png" });
  });
});

describe("no picture", () => {
  it("because of its content, after it was drawn (xAI), which may cost", async () => {
    const { made } = await draw(() => gives({ url: "", respect_moderation: false }));
    const error = "the provider refuses to draw this because of its content rules";
    expect(made).toEqual({ ok: false, error, isBlocked: true, mayCost: true });
    expect((await draw(() => gives({ ...base64, respect_moderation: true }))).made).toMatchObject({ ok: true });
  });

  it.each<[string, () => Response | Promise<Response>, string]>([
    [
      "for its content",
      () => Response.json({ error: { code: "moderation_blocked", message: "flagged" } }, { status: 400 }),
      "the provider refuses to draw this because of its content rules",
    ],
    [
      "for a wrong key, which is not repeated",
      () => Response.json({ error: { message: `Incorrect API key provided: ${KEY}` } }, { status: 401 }),
      "the picture could not be drawn: Incorrect API key provided: [key]",
    ],
    ["without an answer", () => Promise.reject(new Error("no route")), "the picture could not be drawn: no route"],
    ["without one in the answer", () => Response.json({ data: [] }), "the provider's answer has no readable picture"],
    [
      "of another kind",
      () => gives({ b64_json: Buffer.from("<svg/>").toString("base64") }),
      "the provider's answer has no readable picture",
    ],
    [
      "as a page in its place",
      () => new Response("<title>Sign in</title>", { headers: { "content-type": "text/html" } }),
      "the picture could not be drawn: an answer that can't be read: a web page instead of an answer: Sign in",
    ],
    [
      "at an address that must not be asked",
      () => gives({ url: "http://10.0.0.1/" }),
      "the provider's answer has no readable picture",
    ],
    [
      "larger than Discord takes",
      () => new Response("x".repeat(15 * 1024 * 1024)),
      "the picture could not be drawn: the answer has more than 14116455 bytes",
    ],
  ])("%s", async (_, answer, error) => {
    const { made } = await draw(answer);
    expect(made).toMatchObject({ ok: false, error: expect.stringContaining(error) });
  });

  it.each([
    ["an address that must not be asked", "inside", 2],
    ["itself", "circle", 6],
  ])("from a link that leads to %s, which is followed no further", async (_, path, requests) => {
    const { made, read } = await draw(() => gives({ url: `https://made.test/${path}` }));
    expect(made).toMatchObject({ ok: false, mayCost: true });
    expect(read.length).toBe(requests);
  });

  it.each([
    ["breaks off", () => brokenOff('{"data":[{"b64_json":"iVBOR')],
    ["is larger than Discord takes", () => new Response("x".repeat(15 * 1024 * 1024))],
  ])("from an answer that %s, which is paid for anyway", async (_, answer) => {
    expect((await draw(answer)).made).toMatchObject({ ok: false, mayCost: true });
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["was never reached", () => Promise.reject(new Error("Network connection lost."))],
    ["gives a page instead", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["fails halfway through saying so", () => new Response(brokenOff("{").body, { status: 500 })],
  ])("from a provider that %s, which costs nothing", async (_, answer) => {
    expect((await draw(answer)).made).not.toHaveProperty("mayCost");
  });

  it("after a stop", async () => {
    const stop = new AbortController();
    stop.abort();
    const { made } = await draw(() => Promise.reject(stop.signal.reason), {}, stop.signal);
    expect(made).toEqual({
      ok: false,
      error: "the picture could not be drawn: the request was aborted",
      failed: { model: "gpt-image-1-mini", reason: "aborted", message: "the request was aborted" },
      mayCost: true,
    });
  });
});
