// The results of models that draw pictures and transcribe sounds. Types only.
import type { ModelFailure } from "./ending.ts";

/** A failed call, with the model's name at its provider. */
export type FailedCall = ModelFailure & { model: string };

/**
 * A picture and its cost in micro-dollars (null: not known), or why there is none, worded for a model. `isBlocked`: the provider declined to
 * draw it. `mayCost`: the provider may have drawn it anyway. `failed`: the call, if that is why.
 */
export type MadePicture =
  | { ok: true; type: string; data: Uint8Array; microUsd: number | null }
  | { ok: false; error: string; isBlocked?: true; mayCost?: true; failed?: FailedCall };

/** The transcription of a question's sound, by the file's id. */
export interface HeardSound {
  id: string;
  name: string;
  text: string;
}

/**
 * The transcription of a sound and its cost in micro-dollars (null: not known), or why there is none, without a secret. `mayCost`: the
 * provider may have transcribed it anyway. `failed`: the call, if that is why.
 */
export type WrittenSound =
  | { ok: true; text: string; microUsd: number | null }
  | { ok: false; error: string; mayCost?: true; failed?: FailedCall };
