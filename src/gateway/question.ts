// Decides whether a message is a question to us, and what it asks. Pure. The gateway decides with the widest setting that it can't rule out, then
// the channel's object with its own. Sources are Discord's docs (resources/message, events/gateway-events) unless another one is named.
import type { AnswerTo } from "../core/state/answer-to.ts";
import type { Self } from "../core/state/self.ts";
import type { GatewayMessage, QuotedMessage } from "./message.ts";

/** What the decision depends on besides the message. */
export interface QuestionRules {
  self: Self;
  answerTo: AnswerTo;
  /** Whether we were asked in this thread before. */
  isAskedThread: boolean;
  /** Our managed role in this server (`tags.bot_id` is us); null if there is none, undefined if it was not looked up. */
  ownRoleId: string | null | undefined;
  /** Whether we receive the text of all messages (the privileged intent MESSAGE_CONTENT). */
  readsContent: boolean;
}

/**
 * What is asked: the message itself, the message that it replies to, or nothing. For nothing we answer with `help`, or with the `hint` that
 * Discord hides the text of this kind of message from us.
 */
export type Asked = "message" | "replied_to" | "help" | "hint";

/**
 * `unsure`: the message mentions a role that may be ours. `text`: the message's text without our mention at its start and end.
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

/** Answering bots and webhooks would cause loops. (PluralKit's proxies are webhooks.) */
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
  // A reply that pings us lists us among the mentions too, whether or not Discord shows the message that it replies to. So in a reply only an
  // `<@id>` in the text is a mention that someone wrote. `mention_everyone` never counts as one (openclaw#143184).
  const isPinged = mentions.includes(self.userId);
  if (isPinged && (message.kind !== "reply" || mentionOf(self.userId).test(text))) return "mention";
  if (ownRoleId && roleMentions.includes(ownRoleId)) return "mention";
  if (answerTo !== "mention" && (isPinged || isReplyToUs(message, self))) return "reply";
  if (answerTo === "thread" && place.kind === "thread" && rules.isAskedThread) return "thread";
  return ownRoleId === undefined && roleMentions.length > 0 ? "unsure" : null;
}

/** Answers to interactions carry our application's id, and so do those of personas, which our webhooks post. */
function isReplyToUs({ kind, repliedTo }: GatewayMessage, { userId, applicationId }: Self): boolean {
  const original = repliedTo?.message;
  if (kind !== "reply" || typeof original !== "object") return false;
  return original.authorId === userId || original.applicationId === applicationId;
}

/**
 * Decides what a message without text, files or a forward asks: about its sticker or poll, if it has one. Null if it asks nothing and needs no
 * answer (a sticker in a conversation).
 */
function askedByNothing(
  message: GatewayMessage,
  by: "dm" | "mention" | "reply" | "thread",
  rules: QuestionRules,
): Asked | null {
  const { repliedTo, mentions, asides = [] } = message;
  const own = asides.length > 0 ? "message" : "help";
  if (by === "dm") return own;
  // A mention is part of the text, so there was a text. A mention of our role alone doesn't make Discord show it to us.
  if (by === "mention" && message.text === "" && !rules.readsContent) return "hint";
  // Without the intent, a reply has its text only if it pings us, which it can only do for an ordinary message of ours.
  if (by === "reply") return rules.readsContent || mentions.includes(rules.self.userId) ? null : "hint";
  if (by === "thread") return null;
  if (!repliedTo || repliedTo.message === "deleted" || isReplyToUs(message, rules.self)) return own;
  return repliedTo.message === "unread" || isReadable(repliedTo.message) ? "replied_to" : own;
}

const isReadable = ({ text, attachments }: QuotedMessage): boolean => text.trim() !== "" || attachments.length > 0;

/** Matches `<@id>`, and `<@!id>` from older clients (reference: Message Formatting). */
const mentionOf = (userId: string) => new RegExp(`<@!?${userId}>`);

/**
 * Returns what a text asks, without our mentions around it and the comma or colon after them. A mention in the middle of a sentence is part of it
 * and stays, and so does punctuation with which a word begins (`::before`).
 */
export function questionText(text: string, { self, ownRoleId }: Pick<QuestionRules, "self" | "ownRoleId">): string {
  const own = ownRoleId ? `(?:${mentionOf(self.userId).source}|<@&${ownRoleId}>)` : mentionOf(self.userId).source;
  return text.replace(new RegExp(`^(?:\\s*${own})+[,:]?\\s*(?:[,:](?!\\S))?|(?:\\s*${own})+\\s*$`, "g"), "").trim();
}
