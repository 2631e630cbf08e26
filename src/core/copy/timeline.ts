// Writes the details of a turn's timeline: short, stored with the turn, and shown by `/bot trace`.
import type { TokenUsage } from "../money/usage.ts";
import { counted } from "./counts.ts";
import { moneyText } from "./money.ts";

/** What a provider said about a failed call. */
export interface ProviderWords {
  status?: number;
  code?: string;
  message: string;
}

/** The figures of one model call. */
export interface AnswerFigures {
  model: string;
  usage: TokenUsage | null | undefined;
  durationMs: number;
  calls: number;
}

/** The details, by what happened. */
export const timelineText = {
  stoppedBy: (userName: string) => `by ${userName}`,
  interrupted: "by their next message",
  tainted: "it has read others' words",
  delivered: "all of it",
  toldAlone: "in private",
  deliveredInPart: (reason: string) => `not all: ${reason}`,
  message: (number: number) => `message ${number}`,
  reminder: (number: number) => `number ${number}`,
  retry: (model: string, reason: string, waitMs: number) => `${model}, ${reason}, after ${waitMs} ms`,
  modelFailed: (model: string, reason: string, durationMs: number) => `${model}, ${reason}, ${durationMs} ms`,
  providerSaid: ({ status, code, message }: ProviderWords) => {
    const numbers = [status === undefined ? null : `status ${status}`, code === undefined ? null : `code ${code}`];
    return [numbers.filter((part) => part !== null).join(", "), message].filter((part) => part !== "").join(": ");
  },
  modelAnswered: ({ model, usage, durationMs, calls }: AnswerFigures) => {
    const tokens = usage
      ? `, ${usage.isEstimate ? "about " : ""}${usage.inputTokens}+${usage.outputTokens} tokens${usage.costMicroUsd === undefined ? "" : `, ${moneyText(usage.costMicroUsd)}`}`
      : "";
    return `${model}${tokens}, ${durationMs} ms${calls === 0 ? "" : `, ${counted(calls, "call")}`}`;
  },
  modelCut: ({ inputTokens, outputTokens }: TokenUsage) =>
    `model, cut off and counted as about ${inputTokens}+${outputTokens} tokens`,
  enriched: (tool: string) => `${tool}: added to the context`,
  call: (name: string, args: string, status: string) => `${name} ${args}: ${status}`,
  callCost: ({ attempts, cached, durationMs }: { attempts: number; cached: boolean; durationMs: number }) =>
    `, ${cached ? "from the cache" : `${durationMs} ms`}${attempts > 1 ? `, ${attempts} tries` : ""}`,
} as const;
