// Sends one request to the model, with its retries, and returns the result, its cost and the note of the call. The loop decides what the
// result means for the turn.
import { plusStep } from "../core/money/usage.ts";
import type { ModelCallNote, ModelRetry } from "../core/state/inspected.ts";
import { BOT_NAME } from "../core/transcript/speaker.ts";
import { type Begun, noteSent } from "./begin-call.ts";
import { endedCall } from "./call-note.ts";
import { stepUsage } from "./estimated-usage.ts";
import { noteFailedStep, noteRetry } from "./failed-step.ts";
import type { TokenUsage } from "./ports.ts";
import { smallerRequest } from "./prompt.ts";
import { streamPatiently } from "./stream-patiently.ts";
import type { StreamResult } from "./stream-result.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** The result of a request. `usage` covers all its tries and has not been stored yet; null: it cost nothing. */
interface Asked {
  result: StreamResult;
  usage: TokenUsage | null;
  call: ModelCallNote;
}

/** Sends the request of a call that has begun. Each time the visible text changes, `onText` gets all of it so far. */
export async function askModel(params: ToolLoopParams, begun: Begun, onText: (soFar: string) => void): Promise<Asked> {
  const { store, model, reply } = params;
  let sent = begun.request;
  const retries: ModelRetry[] = [];
  let begunAt: number | null = null;
  let lost: TokenUsage | null = null;
  const result = await streamPatiently(
    {
      ...params,
      stopFlag: () => store.stopFlag(),
      onText,
      toolNames: params.runtime.names(),
      ownName: params.request.persona?.name ?? BOT_NAME,
      onReplyProgress: (listener) => reply.onAccepted(listener),
      smaller: (request) => {
        sent = smallerRequest(params, request) ?? request;
        return sent === request ? null : sent;
      },
      onBegun: () => {
        begunAt = params.clock();
      },
      onRetry: (failure, waitMs) => {
        retries.push({ at: params.clock(), waitMs, reason: failure.reason });
        noteRetry(params, failure, waitMs);
      },
      onLost: (result) => {
        lost = plusStep(lost, stepUsage(sent, result, model.price));
      },
    },
    sent,
  );
  const usage = plusStep(lost, stepUsage(sent, result, model.price));
  const call = endedCall(noteSent(params, begun, sent), result, { begunAt, endedAt: params.clock(), usage, retries });
  noteFailedStep(params, result, call);
  if (result.oversized)
    params.log.error("an answer was longer than allowed", { turnId: params.turnId, model: model.name });
  return { result, usage, call };
}
