// Says why a model call failed, in one sentence for each reason.
import type { ModelFailureReason } from "../state/ending.ts";

/** One sentence for each reason. An aborted call is our own doing and has none. */
export const MODEL_FAILED: Record<Exclude<ModelFailureReason, "aborted">, string> = {
  rate_limited: "The model provider is limiting our requests. Try again in a minute.",
  overloaded: "The model provider is overloaded. Try again in a minute.",
  refused:
    "The model provider rejected this request. Try again. If it keeps happening, `/bot trace` shows the reason to the moderators of a server and to the bot's owner.",
  context_too_long:
    "This conversation is too long for the model. `/bot reset` starts over; in a server that has added me, only moderators can use it.",
  auth: "The model provider did not accept the bot's key. Ask the bot's owner to check it.",
  no_credit: "The bot's account at the model provider is out of credit. Ask the bot's owner to add some.",
  no_model: "The model provider does not know this model. Ask the bot's owner to check its name and address.",
  no_tools:
    "This model can't use tools as it is set up. Ask the bot's owner to set its `toolMode` to `fallback` or `none`.",
  bad_call: "The model made a mistake while calling a tool. Try again.",
  network: "The connection to the model was lost. Try again.",
  unreachable:
    "The model provider can't be reached. Try again in a minute. If it keeps happening, ask the bot's owner to check its address.",
  bad_stream: "The model's answer broke off partway through. Try again.",
  content_blocked: "The model provider refused this content. Try rephrasing.",
  timeout: "The model stopped responding. Try again.",
  unknown: "The model failed for an unknown reason. Try again. If it keeps happening, tell the bot's owner.",
};
