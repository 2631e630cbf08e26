// Which message is a question to us, and what is asked. Pure. The gateway asks with the widest setting that it can't rule out, the
// channel's object again with its own. Sources are Discord's docs (resources/message, events/gateway-events) unless another is named.
import type { AnswerTo } from "../core/state/answer-to.ts";
import type { Self } from "../core/state/self.ts";
import type { GatewayMessage, QuotedMessage } from "./message.ts";

/** What the decision depends on beside the message. */
export interface QuestionRules {
  self: Self;
  answerTo: AnswerTo;
  /** We were asked in this thread before. */
  isAskedThread: boolean;
  /** Our managed role in this server (`tags.bot_id` is us); null for none, undefined while no one has looked. */
  ownRoleId: string | null | undefined;
  /** We receive the text of all messages (the privileged intent MESSAGE_CONTENT). */
  readsContent: boolean;
}

/**
 * What is asked: the message itself, the message that it replies to, or nothing: then we answer with `help`, or with the `hint` that
 * Discord hides the text of such a message from us.
 */
export type Asked = "message" | "replied_to" | "help" | "hint";

/**
 * `unsure`: it mentions a role that may be ours. `text` is the message's without our mention at its start and end.
 */
export type Verdict =
  | { kind: "question"; by: "dm" | "mention" | "reply" | "thread"; ask: Asked; text: string }
  | { kind: "unsure" }
  | { kind: "none" };

const NONE: Verdict = { kind: "none" };

/** Decides about one message. */
export function readQuestion(message: GatewayMessage, rules: QuestionRules): Verdict {
  if (rules.answerTo === "off" || !isSaidByPerson(message, rules.self)) return NONE;
  const by = addressedBy(message, rules);
  if (by === "unsure") return { kind: "unsure" };
  if (by === null) return NONE;
  const text = questionText(message.text, rules);
  if (text !== "" || message.attachments.length > 0 || message.forwarded)
    return { kind: "question", by, ask: "message", text };
  const ask = askedByNothing(message, by, rules);
  return ask === null ? NONE : { kind: "question", by, ask, text };
}

/** Answers to bots and webhooks would be loops; the proxies of PluralKit are webhooks. */
function isSaidByPerson({ kind, author, isEphemeral }: GatewayMessage, self: Self): boolean {
  return kind !== "other" && author.isPerson && author.id !== self.userId && !isEphemeral;
}

function addressedBy(
  message: GatewayMessage,
  rules: QuestionRules,
): "dm" | "mention" | "reply" | "thread" | "unsure" | null {
  const { place, mentions, roleMentions, text } = message;
  if (place.kind === "dm") return "dm";
  if (place.kind === "unknown") return null;
  const { answerTo, self, ownRoleId } = rules;
  // The ping of a reply puts us among the mentions too, whether or not Discord shows the message that it replies to. In a reply, only an
  // `<@id>` in the text is a mention that someone wrote. `mention_everyone` is never one (openclaw#143184).
  const isPinged = mentions.includes(self.userId);
  if (isPinged && (message.kind !== "reply" || mentionOf(self.userId).test(text))) return "mention";
  if (ownRoleId && roleMentions.includes(ownRoleId)) return "mention";
  if (answerTo !== "mention" && (isPinged || isReplyToUs(message, self))) return "reply";
  if (answerTo === "thread" && place.kind === "thread" && rules.isAskedThread) return "thread";
  return ownRoleId === undefined && roleMentions.length > 0 ? "unsure" : null;
}

/** Answers to interactions carry our application's id, and so do those of personas, which are webhooks of ours. */
function isReplyToUs({ kind, repliedTo }: GatewayMessage, { userId, applicationId }: Self): boolean {
  const original = repliedTo?.message;
  if (kind !== "reply" || typeof original !== "object") return false;
  return original.authorId === userId || original.applicationId === applicationId;
}

/**
 * What a message without words, files and a forward asks: about its sticker or poll, where it has one. Null: nothing, and no answer is due (a
 * sticker in a conversation).
 */
function askedByNothing(
  message: GatewayMessage,
  by: "dm" | "mention" | "reply" | "thread",
  rules: QuestionRules,
): Asked | null {
  const { repliedTo, mentions, asides = [] } = message;
  const own = asides.length > 0 ? "message" : "help";
  if (by === "dm") return own;
  // A mention is a part of the text, so there was one. That of the role alone doesn't make Discord show it.
  if (by === "mention" && message.text === "" && !rules.readsContent) return "hint";
  // Without the intent, only a reply with its ping on carries its text, and only to an ordinary message of ours.
  if (by === "reply") return rules.readsContent || mentions.includes(rules.self.userId) ? null : "hint";
  if (by === "thread") return null;
  if (!repliedTo || repliedTo.message === "deleted" || isReplyToUs(message, rules.self)) return own;
  return repliedTo.message === "unread" || isReadable(repliedTo.message) ? "replied_to" : own;
}

const isReadable = ({ text, attachments }: QuotedMessage): boolean => text.trim() !== "" || attachments.length > 0;

/** `<@id>`, and `<@!id>` of older clients (reference: Message Formatting). */
const mentionOf = (userId: string) => new RegExp(`<@!?${userId}>`);

/**
 * What a text asks: without our mentions around it, and the comma or colon after one. One in the middle of a sentence is a part of it and stays,
 * and so does a sign with which the words begin (`::before`).
 */
export function questionText(text: string, { self, ownRoleId }: Pick<QuestionRules, "self" | "ownRoleId">): string {
  const own = ownRoleId ? `(?:${mentionOf(self.userId).source}|<@&${ownRoleId}>)` : mentionOf(self.userId).source;
  return text.replace(new RegExp(`^(?:\\s*${own})+[,:]?\\s*(?:[,:](?!\\S))?|(?:\\s*${own})+\\s*$`, "g"), "").trim();
}
