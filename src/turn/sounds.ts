// The sounds of a turn's question: written down once, before its first model call, and stored with the question. A life that finds them stored
// asks nobody again; one that dies before does.
import { MAX_HEARD_CHARS, SOUND_BYTES, SOUNDS_LIMIT_MS } from "../core/limits.ts";
import { type Attachment, attachmentKind } from "../core/state/attachments.ts";
import type { HeardSound, WrittenSound } from "../core/state/media.ts";
import type { TurnParams } from "./turn-params.ts";

/** Writes down one sound. Never throws; ends early, as a failure, when the signal fires. May run again, and costs each time. */
export type Listen = (sound: Attachment, signal: AbortSignal) => Promise<WrittenSound>;

/** The names of the sounds that the answer can't use. `unheard`: nothing listens here; `misheard`: it failed, or there is too much of it. */
export interface LostSounds {
  unheard: string[];
  misheard: string[];
}

/** Listens to what is not written down yet, one sound after the other, and stores the words. Never throws but for the storage. */
export async function hearSounds(params: TurnParams): Promise<LostSounds> {
  const { request, listen, store, log } = params;
  const sounds = (request.attachments ?? []).filter((one) => attachmentKind(one) === "sound");
  const known = request.heard ?? [];
  const open = sounds.filter(({ id }) => !known.some((one) => one.id === id));
  const names = (some: readonly Attachment[]) => some.map(({ filename }) => filename);
  if (open.length === 0 || !listen) return { unheard: names(open), misheard: [] };
  // The loop asks once more and ends the turn.
  if ((await params.refuseCall()) !== null) return { unheard: [], misheard: names(open) };
  const limit = new AbortController();
  const cancel = params.timers.after(SOUNDS_LIMIT_MS, () => limit.abort());
  const signal = AbortSignal.any([params.signal, limit.signal]);
  const heard: HeardSound[] = [];
  let microUsd = 0;
  let bytes = 0;
  let chars = known.reduce((sum, { text }) => sum + text.length, 0);
  for (const sound of open) {
    bytes += sound.size;
    if (bytes > SOUND_BYTES || chars >= MAX_HEARD_CHARS || signal.aborted) continue;
    const written = await listen(sound, signal);
    if (!written.ok) {
      log.warn("a sound could not be written down", { turnId: params.turnId, error: written.error });
      continue;
    }
    microUsd += written.microUsd ?? 0;
    const text = written.text.slice(0, MAX_HEARD_CHARS - chars).toWellFormed();
    chars += text.length;
    heard.push({ id: sound.id, name: sound.filename, text });
  }
  cancel();
  if (heard.length > 0) store.soundsHeard(heard, microUsd);
  return { unheard: [], misheard: names(open.filter(({ id }) => !heard.some((one) => one.id === id))) };
}
