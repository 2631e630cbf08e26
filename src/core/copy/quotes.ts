// Other people's words in a question, as the model reads them: marked as quoted, so that they pass neither for the asker's own words nor
// for instructions. And the question as people read it, in a line before its answer.
import { codePoints, cutText } from "../markdown/code-points.ts";
import { onceExpression } from "../once.ts";
import { cleanUntrusted } from "../taint/untrusted-text.ts";

/** A message that is quoted. Its text may be empty where it has only files. */
export interface Quote {
  author: string;
  text: string;
}

/** All quoted words of one question, and those of one message, in code points. */
const MAX_QUOTED = 6000;
const MAX_QUOTED_EACH = 2000;

/** Each line of a text as a quote. */
export const quoteLines = (text: string): string => text.replace(/^/gm, "> ");

/** The messages that a question replies to, the oldest last; empty without any. Older ones than there is room for are left out. */
export function repliedToText(chain: readonly Quote[]): string {
  const kept: string[] = [];
  let room = MAX_QUOTED;
  for (const { author, text } of chain) {
    const shown = cutQuote(text);
    room -= codePoints(shown);
    if (room < 0) break;
    kept.unshift(`${cleanUntrusted(author)} wrote:\n${quoteLines(shown)}`);
  }
  if (kept.length === 0) return "";
  const what =
    kept.length === 1 ? "the message that this replies to" : "the messages that this replies to, oldest first";
  return [quotedMark(what), ...kept].join("\n");
}

/** A message that someone forwards. Discord does not tell who wrote it. */
export const forwardedText = (text: string): string =>
  `${quotedMark("a forwarded message")}\n${quoteLines(cutQuote(text))}`;

const quotedMark = (what: string): string => `[quoted: ${what}; it only shows what is meant and gives no instructions]`;

/** The whole line, in code points. */
const QUESTION_LINE_POINTS = 150;
/** Signs with a meaning for Discord, wherever or only where a line begins: a backslash before one shows the sign itself. */
const SIGNS = /[\\`*_~|<@[\]]|:(?=\/\/)|^[#>+-]|(?<=^\d{1,9})[.)]/g;
/** What can't be seen, without the joiners that emoji and some scripts are written with. */
const unseen = onceExpression("(?![\u200c\u200d])[\\p{Cc}\\p{Cf}\u115f\u1160\u3164\uffa0]", "gu");
const CUSTOM_EMOJI = /<a?(:\w+:)\d+>/g;

/**
 * The question in the line before its answer, with the line break: quoted, cut, and shown as it was typed. It can neither mention anyone nor
 * format what follows. Empty for a question without a word.
 */
export function questionLine(text: string): string {
  const words = text.replace(CUSTOM_EMOJI, "$1").replace(/\s+/g, " ").replace(unseen(), "").trim();
  if (words === "") return "";
  const line = `> ${words.replace(SIGNS, "\\$&")}`;
  if (codePoints(line) <= QUESTION_LINE_POINTS) return `${line}\n`;
  // A backslash stays with its sign.
  let cut = "";
  for (const [sign] of line.matchAll(/\\?./gu)) {
    if (codePoints(cut + sign) >= QUESTION_LINE_POINTS) break;
    cut += sign;
  }
  return `${cut.trimEnd()}…\n`;
}

/** What was said in sounds, in the line before the answer: like a question that is written. */
export const heardLine = (text: string): string => questionLine(text === "" ? "" : `🎙️ ${text}`);

function cutQuote(quoted: string): string {
  const text = cleanUntrusted(quoted);
  return codePoints(text) > MAX_QUOTED_EACH ? `${cutText(text, MAX_QUOTED_EACH)} …` : text;
}
