// What models that draw and listen answer. Types only.
import type { ModelFailure } from "./ending.ts";

/** A call that failed, and the model's name at its provider. */
export type FailedCall = ModelFailure & { model: string };

/**
 * A drawn picture and its cost in micro-dollars (null: not known), or why there is none, as a model reads it. `isBlocked`: the provider
 * does not want to draw it. `mayCost`: it may have drawn all the same. `failed`: its call, if that is why.
 */
export type MadePicture =
  | { ok: true; type: string; data: Uint8Array; microUsd: number | null }
  | { ok: false; error: string; isBlocked?: true; mayCost?: true; failed?: FailedCall };

/** What was said in a sound of a question, by the file's id. */
export interface HeardSound {
  id: string;
  name: string;
  text: string;
}

/**
 * The words of a sound and what they cost in micro-dollars (null: not known), or why there are none, without a secret. `mayCost`: the
 * provider may have listened all the same. `failed`: its call, if that is why.
 */
export type WrittenSound =
  | { ok: true; text: string; microUsd: number | null }
  | { ok: false; error: string; mayCost?: true; failed?: FailedCall };
