// Why a request was not accepted, and what the person can do about it.
import type { Refusal } from "../state/rpc.ts";
import { spentText } from "./budgets.ts";
import { seconds } from "./durations.ts";
import { personaFaultText } from "./personas.ts";

/** Why a request was not accepted, and what to do. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.reason) {
    case "queue_full":
      return refusal.limit === 0
        ? "I'm answering somebody else here. Try again when that is done."
        : `The queue of this channel is full (${refusal.limit}). Try again when something was answered.`;
    case "user_share_full":
      return `You have ${refusal.limit} messages waiting here, which is the most one person may have. Try again when one was answered.`;
    case "stop_pending":
      return "The running answer is being stopped right now. Try again in a moment.";
    case "denied":
      return "You may not ask me here: a list of this channel's settings says so. Somebody with Manage Server can change it.";
    case "not_listed":
      return "Only certain people and roles may ask me here. Somebody with Manage Server can put you on the list.";
    case "budget_spent":
      return spentText(refusal);
    case "too_long_for_model":
      return `Your message is about ${refusal.tokens} tokens long, and the model \`${refusal.model}\` reads at most ${refusal.limit} of one. Say it in fewer words, or in several messages.`;
    case "no_access":
      return `Discord does not let me write in this channel. Somebody who manages it can allow me to see it and to send messages; I try again in ${seconds(refusal.forMs)}.`;
    case "not_yours":
      return "Only the person who asked can ask this again. Use `/chat` for a question of your own.";
    case "asked_again":
      return "This was asked again already. The newer answer stands below.";
    case "forgotten":
      return "I don't know this answer any more. Ask again with `/chat`.";
    case "scene_size":
      return `A scene has 1 to ${refusal.limit} personas: name them, with commas between.`;
    case "unknown_persona":
      return personaFaultText({ fault: "unknown", name: refusal.name, known: refusal.known });
    case "unavailable":
      return "This channel can't be reached just now. Try again in a moment.";
  }
}

/** Said when the channel's object can't be reached. */
export const UNAVAILABLE = refusalText({ reason: "unavailable" });
