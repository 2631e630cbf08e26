// Why a model call failed, in one sentence for each reason.
import type { ModelFailureReason } from "../state/ending.ts";

/** One sentence each; what was aborted is our own doing and has none. */
export const MODEL_FAILED: Record<Exclude<ModelFailureReason, "aborted">, string> = {
  rate_limited: "The model's provider is limiting our requests. Try again in a minute.",
  overloaded: "The model's provider is overloaded. Try again in a minute.",
  refused: "The model's provider refused this request. The bot's owner can find the reason in the log.",
  context_too_long: "This conversation is too long for the model. `/bot reset` starts afresh.",
  auth: "The model's provider did not accept the bot's key. The bot's owner has to check it.",
  network: "The connection to the model broke. Try again.",
  bad_stream: "The model's answer broke off in the middle. Try again.",
  content_blocked: "The model's provider blocked this answer.",
  timeout: "The model stopped answering. Try again.",
  unknown: "The model failed in a way that we do not know. Try again; if it stays, tell the bot's owner.",
};
