// Errands about the channel itself: reminders, polls, threads, pins, reactions, recent messages. Some take two rounds, because the bot has
// to find a message before it can act on it.
import type { Errand } from "./errands.ts";
import type { Heard, Outcome } from "./hearing.ts";

type Rule = { pattern: RegExp; errand: (words: string[]) => Errand };

const TIME = "(?:in|at|on|tomorrow|tonight|today|next|this|every|\\d{4}-)\\b.*?";
const RULES: Rule[] = [
  {
    pattern: new RegExp(`^(?:please )?remind me (${TIME}) (?:to|about|of|that) (.+)$`, "i"),
    errand: ([, when = "", text = ""]) => reminder(text, when),
  },
  {
    pattern: new RegExp(`^(?:please )?remind me (?:to |about |of |that )?(.+?) (${TIME})$`, "i"),
    errand: ([, text = "", when = ""]) => reminder(text, when),
  },
  {
    pattern: /\b(?:list|show|what|which|any|my) (?:are )?(?:the |my )?reminders\b/i,
    errand: () => ({ tool: "list_reminders", arguments: {} }),
  },
  {
    pattern: /\bcancel (?:the |my )?reminder (?:number |#)?(\d+)/i,
    errand: ([, number]) => ({ tool: "cancel_reminder", arguments: { number: Number(number) } }),
  },
  {
    pattern: /^(?:please )?forget (?:fact |number |memory |#)*(\d+)\W*$/i,
    errand: ([, number]) => ({ tool: "forget", arguments: { number: Number(number) } }),
  },
  {
    pattern: /^(?:make a |take a )?note:? (.+)$/i,
    errand: ([, notes]) => ({ tool: "update_short_term_memory", arguments: { notes }, before: "Noted." }),
  },
  {
    pattern: /^(?:please )?(?:(?:create|make|start) a )?poll:? (.+?\?) (.+)$/i,
    errand: ([, question, answers = ""]) => ({
      tool: "create_poll",
      arguments: { question, answers: answers.split(/\s*(?:,|\bor\b)\s*/).filter((answer) => answer !== "") },
    }),
  },
  {
    pattern: /\b(?:open|create|start|make) a thread (?:called |named |about |for )?["“]?(.+?)["”]?[.!]?$/i,
    errand: ([, name]) => ({ tool: "create_thread", arguments: { name } }),
  },
  {
    pattern: /\b(?:look at|show me|see) (?:my|his|her|their|the) (?:profile picture|avatar)(?: of)? (<@!?\d+>)/i,
    errand: ([, user]) => ({ tool: "view_image", arguments: { user } }),
  },
  {
    pattern: /\blook at (?:the|my|that|this) (?:picture|image|photo|screenshot)\b/i,
    errand: () => ({ tool: "view_image", arguments: { image: "latest" } }),
  },
  {
    pattern: /\bwhen did (?:i|you|we|he|she|they) (?:say|write|ask)\b|\bshow (?:me )?the handles\b/i,
    errand: () => ({ tool: "reveal_message_metadata", arguments: {} }),
  },
  {
    pattern: /\bwhat (?:was|has been) said\b|\bwhat did i miss\b|\bread the (?:channel|last messages)\b/i,
    errand: () => ({ tool: "read_recent_messages", arguments: { limit: 10 } }),
  },
];

/** What to do with a message that was found. */
const DEEDS: { pattern: RegExp; errand: (message: string, words: string[]) => Errand }[] = [
  {
    pattern: /\breact (?:to .+? )?with (\S+)/i,
    errand: (message, [, emoji]) => ({ tool: "add_reaction", arguments: { message, emoji } }),
  },
  {
    pattern: /\bpin (?:the|that|this|my) /i,
    errand: (message) => ({ tool: "pin_message", arguments: { message } }),
  },
];

const reminder = (text: string, when: string): Errand => ({ tool: "set_reminder", arguments: { text, when } });

/**
 * Returns the errands about the channel in the person's words; empty if there are none. An action on a message begins with a search for that
 * message.
 */
export function channelErrands({ said }: Heard): Errand[] {
  if (DEEDS.some(({ pattern }) => pattern.test(said)))
    return [{ tool: "read_recent_messages", arguments: { limit: 10 } }];
  for (const { pattern, errand } of RULES) {
    const words = pattern.exec(said);
    if (words) return [errand(words)];
  }
  return [];
}

/** Returns the second round of an action on a message, after the first has returned messages: it acts on the newest one not from a bot. */
export function deedAfter({ said, outcomes }: Heard): Errand | undefined {
  const message = foundIn(outcomes.at(-1));
  if (message === undefined) return undefined;
  for (const { pattern, errand } of DEEDS) {
    const words = pattern.exec(said);
    if (words) return errand(message, words);
  }
  return undefined;
}

function foundIn(outcome: Outcome | undefined): string | undefined {
  if (outcome?.name !== "read_recent_messages") return undefined;
  const { messages } = (outcome.result ?? {}) as { messages?: { id: string; from: string }[] };
  return messages?.findLast(({ from }) => !from.endsWith("(bot)"))?.id;
}
