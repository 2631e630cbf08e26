// Builds the words of a question that is a message: the person's own, and those that they quote.
import { forwardedText, quoteLines, repliedToText } from "../../src/core/copy/quotes.ts";
import { type Attachment, attachmentKind } from "../../src/core/state/attachments.ts";
import type { TurnRequest } from "../../src/core/state/turn-request.ts";
import { addressesInAnswer, addressesInWords } from "../../src/core/taint/addresses.ts";
import { cleanUntrusted } from "../../src/core/taint/untrusted-text.ts";
import { questionAbout } from "../../src/discord/interactions/asked-message.ts";
import type { HeardEvent } from "../../src/gateway/heard.ts";
import type { GatewayMessage, QuotedMessage } from "../../src/gateway/message.ts";
import type { Verdict } from "../../src/gateway/question.ts";

/** The words of a question, and what is known about their origin. */
export interface Words extends Pick<TurnRequest, "taint" | "named"> {
  text: string;
  quoted: string;
  attachments: QuotedMessage["attachments"];
}

/**
 * Builds the question with what it quotes. `chain`: the messages that it replies to, beginning with the one that it replies to directly.
 * `linked`: the pictures that its own words link to. Returns null if there is nothing to read.
 */
export function buildWords(
  message: GatewayMessage,
  verdict: Extract<Verdict, { kind: "question" }>,
  chain: readonly QuotedMessage[],
  linked: readonly Attachment[],
  self: HeardEvent["self"],
): Words | null {
  const { forwarded } = message;
  const first = chain[0];
  const isOurs = (one?: QuotedMessage) => one?.authorId === self.userId || one?.applicationId === self.applicationId;
  const isOwn = (one: QuotedMessage) => !one.hasOthers && (one.authorId === message.author.id || isOurs(one));
  // A file of ours contains what a model or a remote tool wrote; a picture shows what somebody wanted drawn.
  const isMade = isOurs(first) && first?.attachments.some((file) => attachmentKind(file) !== "image") === true;
  const isOthers = forwarded !== null || isMade || !chain.every(isOwn);
  // Discord does not say who wrote a forwarded message: it may be ours.
  const addressesOf = isOurs(first) || first?.hasOthers ? addressesInAnswer : addressesInWords;
  const given = [...addressesOf(first?.text ?? ""), ...addressesInAnswer(forwarded?.text ?? "")];
  const source = { ...(isOthers && { taint: "full" as const }), ...(given.length > 0 && { named: given }) };
  const files = [...message.attachments, ...linked, ...(forwarded?.attachments ?? []), ...(first?.attachments ?? [])];
  const quotes = chain.filter(({ text }) => text.trim() !== "");
  const about = repliedToText(quotes.map(({ authorName: author, text }) => ({ author, text })));
  if (verdict.ask === "replied_to") {
    if (!first || (first.text.trim() === "" && first.attachments.length === 0)) return null;
    const text = cleanUntrusted(first.text);
    const words = questionAbout({ author: cleanUntrusted(first.authorName), text });
    return { text: words, quoted: text && quoteLines(text), attachments: files, ...source };
  }
  const quoted = [about, ...(forwarded ? [forwardedText(forwarded.text)] : [])].filter((part) => part !== "");
  const words = [verdict.text, ...(message.asides ?? [])].filter((part) => part !== "").join("\n");
  return { ...withQuotes(words, quoted.join("\n\n")), attachments: files, ...source };
}

/** Puts a person's words above what they quote. */
export const withQuotes = (words: string, quoted: string): { text: string; quoted: string } => ({
  text: [words, quoted].filter((part) => part !== "").join("\n\n"),
  quoted,
});
