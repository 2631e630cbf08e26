// Says why a request was not accepted, and what the person can do about it.
import type { Refusal } from "../state/rpc.ts";
import { spentText, tooOftenText } from "./budgets.ts";
import { seconds } from "./durations.ts";
import { unknownPersona } from "./unknown-persona.ts";

/** Says why a request was not accepted, and what to do. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.reason) {
    case "queue_full":
      return refusal.limit === 0
        ? "I'm still answering, and there is no queue here. Try again when that answer is done."
        : `This channel's queue is full (${refusal.limit}). Try again after the next answer.`;
    case "user_share_full":
      return refusal.limit === 1
        ? "You already have a message waiting here, the most one person can have. Try again after it is answered."
        : `You already have ${refusal.limit} messages waiting here, the most one person can have. Try again after one is answered.`;
    case "stop_pending":
      return "The current answer is being stopped. Try again in a moment.";
    case "denied":
      return "The settings of this server or channel don't let you ask me here. Ask someone with the Manage Server permission to change that.";
    case "not_listed":
      return "Only certain people and roles can ask me here. Ask someone with the Manage Server permission to add you.";
    case "budget_spent":
      return spentText(refusal);
    case "too_often":
      return tooOftenText(refusal.limit, refusal.againAt);
    case "too_long_for_model":
      return `Your message is about ${refusal.tokens} tokens long, and the model \`${refusal.model}\` reads at most ${refusal.limit} in one message. Shorten it or split it into several messages.`;
    case "no_access":
      return `Discord does not let me write in this channel. Ask someone who manages it to let me see it and send messages. I will try again in ${seconds(refusal.forMs)}.`;
    case "not_yours":
      return "Only the person who asked can ask this again. Use `/chat` to ask your own question.";
    case "asked_again":
      return "This was already asked again. See the newer answer below.";
    case "not_theirs":
      return "Only the person who asked or, in a server, a moderator can do this. Ask them.";
    case "not_newest":
      return "Only my newest answer here can be regenerated or deleted. Ask again with `/chat`.";
    case "unfinished":
      return "This answer is not finished yet. Try again in a moment.";
    case "forgotten":
      return "I no longer have this answer. Ask again with `/chat`.";
    case "scene_size":
      return `A scene needs 1 to ${refusal.limit} personas. List their names, separated by commas.`;
    case "unknown_persona":
      return unknownPersona(refusal);
    case "unavailable":
      return "I can't reach this channel right now. Try again in a moment.";
  }
}

/** Says why another person's question was not asked again. */
export const refusalForAsker = (refusal: Refusal, asker: string): string => textForAsker(refusalText(refusal), asker);

/** Tells a moderator, with the words that the asker would read. */
export const textForAsker = (text: string, asker: string): string =>
  `This counts as <@${asker}>'s question, and they would see: ${text}`;

/** Shown when the channel's object can't be reached. */
export const UNAVAILABLE = refusalText({ reason: "unavailable" });
