// One turn from its first model call to its ending: the models in their order, and each again after an empty answer. Catches
// what the loop can't foresee, once, here: the turn then ends like any other, with one honest line and a free lock.

import { ATTACHMENTS_LIMIT_MS, EMPTY_RETRY_DELAY_MS, MAX_EMPTY_RETRIES } from "../core/limits.ts";
import type { AskedCall } from "../core/state/approval.ts";
import type { Attachment } from "../core/state/attachments.ts";
import type { Ending } from "../core/state/ending.ts";
import type { StopFlag } from "../core/state/record.ts";
import { buildResult, findSpeaker, type GenerationTurnResult } from "./build-result.ts";
import { findAbort } from "./execute-tool-call.ts";
import type { LoopState } from "./loop-state.ts";
import type { ModelAnswer } from "./ports.ts";
import { NO_FILES, type QuestionFiles, readFiles, unusedFiles } from "./question-files.ts";
import { pause } from "./stream-patiently.ts";
import { type LoopEnd, runToolLoop } from "./tool-loop.ts";
import type { ToolLoopParams, TurnParams } from "./turn-params.ts";

/**
 * How a run of a turn ended. `parked`: a person has to agree to a call first, and then the turn goes on from what is stored.
 * `superseded`: another life owns the turn, and this one says and writes nothing more.
 */
export type TurnResult =
  | ({ kind: "ended" } & GenerationTurnResult)
  | { kind: "parked"; asked: AskedCall }
  | { kind: "superseded" };

/** Runs a turn. Never throws, shows no ending and frees no lock: its caller stores the ending first. */
export async function runGenerationTurn(params: TurnParams): Promise<TurnResult> {
  try {
    const { attachments = [] } = params.request;
    const files = attachments.length > 0 ? await readInTime(attachments, params) : NO_FILES;
    return await attempts({ ...params, files });
  } catch (error) {
    params.log.error("turn crashed", {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return ended({ ...params, files: NO_FILES }, { kind: "crashed" }, { ...NOTHING, text: params.reply.postedText() });
  }
}

/** All files of a question have one limit in time; what did not come by then is told as unread. */
async function readInTime(attachments: readonly Attachment[], params: TurnParams): Promise<QuestionFiles> {
  const limit = new AbortController();
  const cancel = params.timers.after(ATTACHMENTS_LIMIT_MS, () => limit.abort());
  try {
    return await readFiles(attachments, params.attachments, AbortSignal.any([params.signal, limit.signal]));
  } finally {
    cancel();
  }
}

/** A turn whose question is read with its files. */
type ReadTurnParams = TurnParams & { files: QuestionFiles };

const NOTHING: LoopState = {
  streamResults: [],
  functionHistory: [],
  text: "",
  finalText: "",
  detailsText: "",
  thoughtLog: "",
  hiddenNotices: [],
};
const SUPERSEDED: TurnResult = { kind: "superseded" };

function ended(params: ReadTurnParams, ending: Ending, end: LoopState, answer: ModelAnswer | null = null): TurnResult {
  const wordless = ending.kind === "completed" && end.text.trim() === "";
  const model = params.models[params.store.modelIndex()] ?? params.models[0];
  const unused = ending.kind === "completed" ? unusedFiles(params.files, model) : null;
  const told: Ending = {
    ...ending,
    ...(wordless ? { wordless } : {}),
    ...(unused ? { files: unused } : {}),
    ...(params.shouldSurfaceUserErrors ? {} : { quiet: true }),
  };
  return { kind: "ended", ...buildResult(told, end, answer, findSpeaker(params.request)) };
}

/** Tries the models in order. Only a model's own failure leads to the next one. */
async function attempts(params: ReadTurnParams): Promise<TurnResult> {
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
    log.warn("a model failed, the next one tries", { model: model.name, ending: ending.kind });
    if (!store.fallbackBegun(index + 1)) return SUPERSEDED;
    // What the next model says takes the place of what this one began, in the same messages.
    reply.show({ text: "", line: null });
  }
}

/** One model's loop, and again after an empty answer, with a moment in between. */
async function patientLoop(params: ToolLoopParams): Promise<LoopEnd> {
  for (let retries = 0; ; retries++) {
    const end = await runToolLoop(params);
    if (end.kind !== "ended" || end.ending.kind !== "empty" || retries === MAX_EMPTY_RETRIES) return end;
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

/** A stopped turn has said what of it was delivered. */
const delivered = (end: LoopState, text: string): LoopState => ({ ...end, text, finalText: text });

/** A stop delivers what was not yet sent; a kill and a follow-up leave what was posted. */
export function finalOfStop(flag: StopFlag, text: string, posted: string): { ending: Ending; text: string } {
  if (flag.kind === "follow_up") return { ending: { kind: "follow_up" }, text: posted };
  return { ending: { kind: "stopped", by: flag.by }, text: flag.kind === "kill" ? posted : text };
}
