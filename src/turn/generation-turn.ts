// Runs one turn from its first model call to its ending: tries the models in order, and retries each after an empty answer. Unforeseen
// exceptions are caught here, once: the turn then ends like any other, with one honest line and a free lock.

import { quoteLines } from "../core/copy/quotes.ts";
import { describeError } from "../core/describe-error.ts";
import { ATTACHMENTS_LIMIT_MS, EMPTY_RETRY_DELAY_MS, MAX_EMPTY_RETRIES } from "../core/limits.ts";
import type { AskedCall } from "../core/state/approval-request.ts";
import { type Attachment, openSounds } from "../core/state/attachments.ts";
import type { Ending } from "../core/state/ending.ts";
import type { StopFlag } from "../core/state/record.ts";
import { isNothingToReport } from "../core/state/recurring-task.ts";
import { cleanUntrusted } from "../core/taint/untrusted-text.ts";
import { buildResult, type EndedTurn, findSpeaker, type SomeGathered } from "./build-result.ts";
import { findAbort } from "./execute-tool-call.ts";
import type { Gathered } from "./loop-state.ts";
import type { ModelAnswer } from "./ports.ts";
import { NO_FILES, type QuestionFiles, readFiles, unusedFiles } from "./question-files.ts";
import { createSaid } from "./said.ts";
import { pause } from "./stream-patiently.ts";
import { type LoopEnd, runToolLoop } from "./tool-loop.ts";
import type { ToolLoopParams, TurnParams } from "./turn-params.ts";

/**
 * How a run of a turn ended. `parked`: a person must approve a call first; the turn then resumes from what is stored. `superseded`: another life
 * owns the turn, and this one shows and writes nothing more.
 */
export type TurnResult = EndedTurn | ParkedTurn | { kind: "superseded" };

/** A turn that waits for a person's click, and the call that needs their approval. */
export interface ParkedTurn {
  kind: "parked";
  asked: AskedCall;
}

/** Runs a turn. Never throws, shows no ending and frees no lock: the caller must store the ending first. */
export async function runGenerationTurn(params: TurnParams): Promise<TurnResult> {
  try {
    const { attachments = [] } = params.request;
    if (attachments.length === 0) return await tryModels({ ...params, files: NO_FILES });
    const [files, lost] = await Promise.all([readInTime(attachments, params), hearAny(params)]);
    return await tryModels({ ...params, files: { ...files, ...lost } });
  } catch (error) {
    params.log.error("turn crashed", { error: describeError(error) });
    return ended({ ...params, files: NO_FILES }, { kind: "crashed" }, { text: textAtCrash(params), finalText: "" });
  }
}

/** Returns what was posted, or what is stored if that is more. The storage may be what failed. */
function textAtCrash({ store, reply }: TurnParams): string {
  const posted = reply.postedText();
  try {
    const stored = createSaid(store.rounds(), reply).text();
    return posted.startsWith(stored) ? posted : stored;
  } catch {
    return posted;
  }
}

/** Transcribes the question's sounds. Few questions have any, so that code is loaded only when one does. */
async function hearAny(params: TurnParams): Promise<Partial<QuestionFiles>> {
  const open = openSounds(params.request);
  if (open.length === 0 || !params.listen) return { unheard: open.map(({ filename }) => filename) };
  const { hearSounds } = await import("./sounds.ts");
  return { misheard: await hearSounds(open, params.listen, params) };
}

/** Reads all files of a question within one time limit; what has not arrived by then is reported as unread. */
async function readInTime(attachments: readonly Attachment[], params: TurnParams): Promise<QuestionFiles> {
  const limit = new AbortController();
  const cancel = params.timers.after(ATTACHMENTS_LIMIT_MS, () => limit.abort());
  try {
    const signal = AbortSignal.any([params.signal, limit.signal]);
    const files = await readFiles(attachments, params.attachments, signal, params.clock());
    if (params.request.taint !== "full") return files;
    // They may belong to the message that is asked about, and are quoted like its words.
    const texts = files.texts.map((file) => ({ ...file, text: quoteLines(cleanUntrusted(file.text)) }));
    return { ...files, texts };
  } finally {
    cancel();
  }
}

/** A turn whose question's files have been read. */
type ReadTurnParams = TurnParams & { files: QuestionFiles };

const SUPERSEDED: TurnResult = { kind: "superseded" };

function ended(
  params: ReadTurnParams,
  ending: Ending,
  end: SomeGathered,
  answer: ModelAnswer | null = null,
): TurnResult {
  const wordless = ending.kind === "completed" && end.text.trim() === "" && !answer?.files;
  const isTask = params.request.reminder?.task !== undefined;
  const silent = isTask && ending.kind === "completed" && isNothingToReport(answer?.text ?? end.text);
  const model = params.models[params.store.modelIndex()] ?? params.models[0];
  const unused = ending.kind === "completed" ? unusedFiles(params.files, model) : null;
  const shown: Ending = {
    ...ending,
    ...(wordless && { wordless }),
    ...(silent && { silent }),
    ...(unused && { files: unused }),
    ...(params.shouldSurfaceUserErrors ? {} : { quiet: true }),
  };
  return { kind: "ended", ...buildResult(shown, end, answer, findSpeaker(params.request)) };
}

/** Tries the models in order. Only a model's own failure leads to the next one. */
async function tryModels(params: ReadTurnParams): Promise<TurnResult> {
  const { store, models, reply, log } = params;
  for (;;) {
    const index = store.modelIndex();
    const model = models[index] ?? models[0];
    const end = await patientLoop({ ...params, model });
    if (end.kind === "aborted") return finalOfAbort(params, end);
    if (end.kind === "parked") return { kind: "parked", asked: end.asked };
    const { ending } = end;
    const isModelsFault = ending.kind === "model_failed" || ending.kind === "model_silent";
    if (!isModelsFault || index + 1 >= models.length) {
      const fellBack = ending.kind === "completed" && index > 0 && params.shouldSurfaceUserErrors;
      return ended(params, fellBack ? { ...ending, by: model.name } : ending, end, end.answer);
    }
    log.warn("a model failed, trying the next one", { model: model.name, ending: ending.kind });
    if (!store.fallbackBegun(index + 1, end.unstoredUsage)) return SUPERSEDED;
    // The next model's text replaces this one's, in the same messages.
    reply.show({ text: "", line: null });
  }
}

/**
 * Runs one model's loop. After an empty answer it pauses and runs the loop again. It runs it again at once if a successor takes the model's
 * place, or if the model's server turned out not to support tools: the model then reads about them as text.
 */
async function patientLoop(params: ToolLoopParams): Promise<LoopEnd> {
  let { toolMode } = params.model;
  for (let retries = 0; ; ) {
    const end = await runToolLoop(params);
    const failed = end.kind === "ended" && end.ending.kind === "model_failed" ? end.ending.reason : null;
    if (failed === "no_model" && params.model.succeed?.()) continue;
    if (failed && toolMode !== params.model.toolMode) {
      toolMode = params.model.toolMode;
      continue;
    }
    if (end.kind !== "ended" || end.ending.kind !== "empty" || retries === MAX_EMPTY_RETRIES) return end;
    retries++;
    await pause(params, EMPTY_RETRY_DELAY_MS);
    const abort = findAbort(params);
    if (abort) return { ...end, kind: "aborted", abort };
  }
}

function finalOfAbort(params: ReadTurnParams, end: Extract<LoopEnd, { kind: "aborted" }>): TurnResult {
  switch (end.abort.kind) {
    case "superseded":
      return SUPERSEDED;
    case "deadline":
      return ended(params, { kind: "turn_deadline" }, end);
    case "gone":
      return ended(params, { kind: "gone" }, delivered(end, params.reply.postedText()));
    case "flagged": {
      const flag = params.store.stopFlag();
      if (!flag) return SUPERSEDED;
      const { ending, text } = finalOfStop(flag, end.text, params.reply.postedText());
      return ended(params, ending, ending.kind === "follow_up" ? { ...end, text } : delivered(end, text));
    }
  }
}

/** Returns what a stopped turn has gathered, with only the text that was delivered. */
const delivered = (end: Gathered, text: string): Gathered => ({ ...end, text, finalText: text });

/** Decides how a stop ends the turn: a stop still delivers the unsent text; a kill and a follow-up keep only what was posted. */
export function finalOfStop(flag: StopFlag, text: string, posted: string): { ending: Ending; text: string } {
  if (flag.kind === "follow_up") return { ending: { kind: "follow_up" }, text: posted };
  return { ending: { kind: "stopped", by: flag.by }, text: flag.kind === "kill" ? posted : text };
}
