// Draws a picture with OpenAI's images API and compatible ones, or with a model of Workers AI that takes a prompt. Loaded when used.
import { MAX_REPLY_FILE_BYTES } from "../core/limits.ts";
import { pictureCost } from "../core/money/unit-price.ts";
import type { MadePicture } from "../core/state/media.ts";
import { decodeBase64 } from "../core/transcript/base64.ts";
import { hostOf } from "./endpoint.ts";
import { type Fields, readFields, readList, readText } from "./json-fields.ts";
import { callMedia, type MediaModel } from "./media-call.ts";
import { readAtMost } from "./read-at-most.ts";
import { readBilled } from "./usage.ts";

/** Base64 adds a third; the rest is for what comes with the picture. */
const MAX_ANSWER_BYTES = Math.ceil(MAX_REPLY_FILE_BYTES * 1.34) + 65_536;
/** Workers AI accepts no longer prompt. */
const MAX_WORKERS_AI_PROMPT = 2048;
/** Models of Workers AI that read a form, even for a description alone (FLUX.2). */
const READS_FORM = /\/flux-2-/;
/** OpenRouter accepts the same request at a shorter path, and answers 404 at the usual one. */
const OPENROUTER = /(?:^|\.)openrouter\.ai$/i;
/** Some providers return a short link to the picture (Together). Each address is checked. */
const MAX_REDIRECTS = 5;

/**
 * Draws one picture; costs money each time. Never throws; ends early when the signal fires. `fetchMade` reads a picture for which the provider
 * returns only an address. That may be any address, so it must check it.
 */
export async function makePicture(
  model: MediaModel,
  prompt: string,
  fetchMade: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<MadePicture> {
  // If the description were cut, the picture would be drawn and paid for, and nobody would know why half of it is missing.
  if (model.ai && prompt.length > MAX_WORKERS_AI_PROMPT) {
    const error = `this model accepts descriptions of at most ${MAX_WORKERS_AI_PROMPT} characters; nothing was drawn, so call again with a shorter one`;
    return { ok: false, error, isBlocked: true };
  }
  const answer = await callMedia(
    model,
    {
      path: OPENROUTER.test(hostOf(model.baseUrl)) ? "images" : "images/generations",
      body: () => JSON.stringify({ n: 1, ...formatFor(model.model), ...model.params, model: model.model, prompt }),
      inputs: () => inputsFor(model.model, { ...model.params, prompt }),
    },
    MAX_ANSWER_BYTES,
    signal,
  );
  if (!answer.ok) {
    const { ok, failure, ...cost } = answer;
    if (failure.reason === "content_blocked") return BLOCKED;
    const failed = { ...failure, model: model.model };
    return { ok, error: `the picture could not be drawn: ${failure.message}`, failed, ...cost };
  }
  // xAI withholds a picture in an answer that otherwise looks like any other.
  if ("fields" in answer && firstOf(answer.fields).respect_moderation === false) return { ...BLOCKED, mayCost: true };
  const data = "bytes" in answer ? answer.bytes : await readPicture(answer.fields, fetchMade, signal);
  const type = data && typeOf(data);
  if (!data || !type) return { ok: false, error: "the provider's answer has no readable picture", mayCost: true };
  if (data.byteLength > MAX_REPLY_FILE_BYTES)
    return { ok: false, error: "the picture is larger than Discord allows", mayCost: true };
  const billed = "fields" in answer ? readBilled(readFields(answer.fields.usage) ?? {}) : null;
  const { unitPrice } = model;
  return { ok: true, type, data, microUsd: billed ?? (unitPrice === undefined ? null : pictureCost(unitPrice)) };
}

const BLOCKED = {
  ok: false,
  error: "the provider refuses to draw this because of its content rules",
  isBlocked: true,
} as const;

/** Builds the inputs for the binding. It takes a form as its text and its type, which names the boundary. */
function inputsFor(model: string, fields: Fields): Fields {
  if (!READS_FORM.test(model)) return fields;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  const { body, headers } = new Response(form);
  return { multipart: { body, contentType: headers.get("content-type") } };
}

/** Chooses the format. A PNG would be several times as large; the older models need another field, and any other model might refuse either field. */
function formatFor(model: string): Fields {
  if (/(?:^|\/)(?:gpt-image|chatgpt-image)/.test(model)) return { output_format: "jpeg" };
  return /(?:^|\/)dall-e/.test(model) ? { response_format: "b64_json" } : {};
}

const firstOf = ({ data, images }: Fields): Fields => readFields(readList(data ?? images)[0]) ?? {};

/**
 * Reads the picture from OpenAI's `data: [{b64_json} or {url}]`, SiliconFlow's `images`, or Workers AI's `image`. A `data:` address contains the
 * bytes itself.
 */
async function readPicture(
  fields: Fields,
  fetchMade: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const first = firstOf(fields);
  const url = readText(first.url);
  const base64 = readText(first.b64_json) ?? readText(fields.image) ?? (url?.startsWith("data:") ? url : null);
  if (base64 !== null) return decodeBase64(base64.replace(/^data:[^,]{0,100},/, ""));
  if (url === null) return null;
  try {
    let next = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetchMade(next, { signal, redirect: "manual" });
      if (response.ok) return await readAtMost(response, MAX_REPLY_FILE_BYTES);
      await response.body?.cancel();
      const location = response.headers.get("location");
      if (location === null) return null;
      next = new URL(location, next).href;
    }
    return null;
  } catch {
    return null;
  }
}

/** Detects the type by the first bytes, because providers don't say which format they chose. */
function typeOf(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : null;
}
