// Transcribes a sound with OpenAI's transcription API and compatible ones, or with Whisper on Workers AI. Loaded when used.
import { MESSAGE_FILE_BYTES } from "../core/limits.ts";
import { soundCost } from "../core/money/unit-price.ts";
import type { WrittenSound } from "../core/state/media.ts";
import { encodeBase64 } from "./base64-text.ts";
import { type Fields, readFields } from "./json-fields.ts";
import { callMedia, type MediaModel } from "./media-call.ts";
import { readBilled } from "./usage.ts";

/** A sound with its bytes. `seconds`: as reported by Discord; missing: unknown. */
export interface Sound {
  name: string;
  type: string;
  bytes: Uint8Array;
  seconds?: number | undefined;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Other file extensions of Ogg, which WhatsApp and Telegram use for voice notes: OpenAI and Groq refuse one or both without reading the file. */
const OGG = /\.(?:opus|oga)$/i;
/** Characters that a file name in a form can't safely contain. A provider only uses the name to learn the file's format. */
const NOT_PLAIN = /[^ -~]+/g;

/**
 * Workers AI gets a sound as Base64 text within JSON text (workerd: ai-api.ts), so it is in memory four times, three of them a third longer. For
 * 25 MB that is more than the 128 MB that a Worker has (Cloudflare): the object would be killed, and its next life too.
 */
const MAX_WORKERS_AI_SOUND = MESSAGE_FILE_BYTES;

/** Transcribes one sound; costs money each time. Never throws; ends early when the signal fires. */
export async function transcribe(model: MediaModel, sound: Sound, signal: AbortSignal): Promise<WrittenSound> {
  if (model.ai && sound.bytes.byteLength > MAX_WORKERS_AI_SOUND)
    return { ok: false, error: `sounds for this model may have at most ${MAX_WORKERS_AI_SOUND} bytes` };
  const answer = await callMedia(
    model,
    {
      path: "audio/transcriptions",
      body: () => buildForm(model, sound),
      inputs: () => ({ ...model.params, audio: encodeBase64(sound.bytes) }),
    },
    MAX_ANSWER_BYTES,
    signal,
  );
  if (!answer.ok) {
    const { ok, failure, ...cost } = answer;
    return { ok, error: failure.message, failed: { ...failure, model: model.model }, ...cost };
  }
  const fields = "fields" in answer ? answer.fields : {};
  if (typeof fields.text !== "string") return { ok: false, error: "the provider's answer has no words", mayCost: true };
  const billed = readBilled(readFields(fields.usage) ?? {});
  const { unitPrice } = model;
  const length = { seconds: secondsOf(fields, sound), size: sound.bytes.byteLength };
  const cost = unitPrice === undefined ? null : soundCost(unitPrice, length);
  return { ok: true, text: fields.text.trim(), microUsd: billed ?? cost };
}

function buildForm({ model, params = {} }: MediaModel, { name, type, bytes }: Sound): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(params))
    form.set(field, typeof value === "object" ? JSON.stringify(value) : String(value));
  form.set("model", model);
  form.set("response_format", "json");
  form.set(
    "file",
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type }),
    name.replace(OGG, ".ogg").replace(NOT_PLAIN, "_"),
  );
  return form;
}

/** Returns the length as the provider counted it, or else as Discord did. */
function secondsOf({ usage, duration, transcription_info: info }: Fields, { seconds }: Sound): number | undefined {
  const lengths = [readFields(usage)?.seconds, duration, readFields(info)?.duration, seconds];
  return lengths.find((one): one is number => typeof one === "number" && one > 0 && one < 86_400);
}
