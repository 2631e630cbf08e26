// Transcribes the sounds of a turn's question: once, before its first model call. The words are stored with the question, and a life that
// finds them stored does not transcribe again.
import { timelineText } from "../core/copy/timeline.ts";
import { MAX_HEARD_CHARS, SOUND_BYTES, SOUNDS_LIMIT_MS } from "../core/limits.ts";
import { soundCost } from "../core/money/unit-price.ts";
import type { Attachment } from "../core/state/attachments.ts";
import type { FailedCall, HeardSound, WrittenSound } from "../core/state/media.ts";
import type { TurnStore } from "./ports.ts";
import type { TurnParams } from "./turn-params.ts";

/** Transcribes one sound. Never throws; ends early, as a failure, when the signal fires. May run again, and costs money each time. */
export type Listen = (sound: Attachment, signal: AbortSignal) => Promise<WrittenSound>;

/** The parts of a turn that transcribing needs. */
export type HearingParams = Pick<
  TurnParams,
  "turnId" | "request" | "usdPerMinute" | "refuseCall" | "clock" | "timers" | "signal" | "log"
> & { store: Pick<TurnStore, "soundsHeard" | "note"> };

/**
 * Transcribes these sounds one after the other and stores the words. Returns the names of those without words. Throws only what the storage
 * throws.
 */
export async function hearSounds(
  open: readonly Attachment[],
  listen: Listen,
  params: HearingParams,
): Promise<string[]> {
  const { request, store, log } = params;
  const names = (some: readonly Attachment[]) => some.map(({ filename }) => filename);
  const { usdPerMinute = 0 } = params;
  const expected = open.reduce((sum, sound) => sum + soundCost(usdPerMinute, sound), 0);
  // The loop checks the budget again and then ends the turn.
  if ((await params.refuseCall(expected)) !== null) return names(open);
  const limit = new AbortController();
  const cancel = params.timers.after(SOUNDS_LIMIT_MS, () => limit.abort());
  const signal = AbortSignal.any([params.signal, limit.signal]);
  const heard: HeardSound[] = [];
  let microUsd = 0;
  let bytes = 0;
  let chars = (request.heard ?? []).reduce((sum, { text }) => sum + text.length, 0);
  for (const sound of open) {
    if (bytes + sound.size > SOUND_BYTES || chars >= MAX_HEARD_CHARS || signal.aborted) continue;
    bytes += sound.size;
    const at = params.clock();
    const written = await listen(sound, signal);
    if (!written.ok) {
      if (written.failed && !signal.aborted) noteFailed(params, written.failed, at);
      // The sender's program states the length, and a stop is easy to provoke, so the cost is bounded by the size in bytes.
      const { size } = sound;
      if (written.mayCost) microUsd += Math.min(soundCost(usdPerMinute, sound), soundCost(usdPerMinute, { size }));
      log.error("a sound could not be transcribed", { turnId: params.turnId, error: written.error });
      continue;
    }
    microUsd += written.microUsd ?? 0;
    const text = written.text.slice(0, MAX_HEARD_CHARS - chars).toWellFormed();
    chars += text.length;
    heard.push({ id: sound.id, name: sound.filename, text });
  }
  cancel();
  if (heard.length > 0 || microUsd > 0) store.soundsHeard(heard, microUsd);
  return names(open.filter(({ id }) => !heard.some((one) => one.id === id)));
}

/** Notes the failed call in the turn's timeline: moderators read the reason there, and the bot's owners are notified from it. */
function noteFailed({ store, clock }: HearingParams, { model, ...failure }: FailedCall, at: number): void {
  const ms = clock() - at;
  const { reason } = failure;
  store.note("model", timelineText.modelFailed(model, reason, ms), {
    forModerators: timelineText.providerSaid(failure),
    call: { model, at, ms, firstMs: null, outcome: "failed", reason, usage: null, contents: null },
  });
}
