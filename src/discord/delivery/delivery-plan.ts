// Plans which messages a reply should consist of, from its text so far and what Discord already has. Pure.

import { say } from "../../core/copy/notices.ts";
import { MESSAGE_CODE_POINTS } from "../../core/limits.ts";
import { codePoints, cutText } from "../../core/markdown/code-points.ts";
import { type Part, type Splitter, split } from "../../core/markdown/split.ts";
import type { ReplyView } from "../../turn/ports.ts";
import type { Buttons } from "../components.ts";
import type { Posted } from "./part-body.ts";

/** One message of the reply as it should look. */
export interface WantedPart extends Posted {
  content: string;
  buttons: Buttons;
}

/** What is known about the reply. */
export interface PlanInput extends Pick<ReplyView, "file" | "files"> {
  text: string;
  /** How many characters at the beginning of the text come before the answer and are not in its file. */
  lead?: number;
  line: string | null;
  buttons: Buttons;
  final: boolean;
  /** A part may exist in Discord whose id or content we don't know. It is never sent again. */
  lost: boolean;
  /** How many of the first messages were made with a token that has expired. They stay as they are. */
  frozen: number;
  /** How many messages of the reply Discord has, as far as we know. */
  made: number;
  /** How many messages the reply may have. */
  maxMessages: number;
  /** The line asks a person for approval, so it is always shown. */
  asks?: true;
  /** Replaces names by mentions. */
  mention?: (markdown: string) => string;
}

/** A longer line, such as one with the names of many files, is cut: the note about the file and some words must fit as well. */
const MOST_LINE_CHARS = 1900;

/**
 * Plans the messages of a reply. A full part never changes while the text grows. A status line joins the last part if it fits there. Each
 * message after the first is created without it, and the next edit adds it: if a death hides whether the message was created, nothing can
 * reach it, and the line would stay. A final line is never dropped. If there are too many parts, or one is lost, the final reply carries
 * the answer as a file. The splitter may be one that remembers what it has already split.
 */
export function planParts(input: PlanInput, splitter: Splitter = split): WantedPart[] {
  const line = input.line && cutText(input.line, MOST_LINE_CHARS);
  return withFiles(withButtons(messagesFor({ ...input, line }, splitter), input), input);
}

/**
 * Adds the view's own files to the message with its line, which is the last one. If no message can be changed, they get a separate one.
 */
function withFiles(parts: WantedPart[], { file, files, frozen, maxMessages, buttons }: PlanInput): WantedPart[] {
  const last = parts.at(-1);
  const isNew = files !== undefined && parts.length <= frozen && parts.length < maxMessages;
  if (isNew) return [...parts, { content: "", endsAt: last?.endsAt ?? 0, buttons, file: null, files }];
  if (!last || (!file && !files)) return parts;
  return parts.with(-1, { ...last, ...(file && { file: file.text, fileName: file.name }), ...(files && { files }) });
}

type Unbuttoned = Omit<WantedPart, "buttons">;

function messagesFor(input: PlanInput, splitter: Splitter): Unbuttoned[] {
  const { text, line, final, lost, frozen, made, maxMessages, asks } = input;
  // The second half of a surrogate pair may still be on its way.
  const pieces = buildPieces(splitter(final ? text : text.replace(/[\ud800-\udbff]$/, "")), input);
  const most = lost ? frozen + 1 : maxMessages;
  if (final && (pieces.length > most || (lost && pieces.length > 0))) return attached(pieces, input, most);
  const parts = pieces.slice(0, most);
  while (parts.length < frozen) parts.push(nothing);
  if (line === null) return parts;
  const last = parts.length > frozen ? parts.at(-1) : undefined;
  if (last && !final && !asks && parts.length > Math.max(made, 1)) return parts;
  const joined = last ? joinLine(last.content, line) : line;
  if (last && codePoints(joined) <= MESSAGE_CODE_POINTS) return parts.with(-1, { ...last, content: joined });
  if ((final || (asks && last)) && pieces.length >= most) return attached(pieces, input, most);
  return !last || final || asks ? [...parts, { content: line, endsAt: last?.endsAt ?? 0, file: null }] : parts;
}

/** Adds the buttons: Stop to the first message that we can reach, other buttons to the last message. */
function withButtons(parts: Unbuttoned[], { buttons, frozen }: PlanInput): WantedPart[] {
  const isStopAlone = buttons.length === 1 && buttons[0] === "stop";
  const at = isStopAlone ? frozen : parts.length - 1;
  return parts.map((part, index) => ({ ...part, buttons: index === at ? buttons : [] }));
}

/** Returns the parts of the text, without those that are only white space, which Discord refuses. */
function buildPieces(parts: Part[], { lead = 0, mention = (text) => text }: PlanInput): Unbuttoned[] {
  let endsAt = 0;
  const pieces = parts.map(({ content, piece }, index) => {
    endsAt += piece.length;
    const from = index === 0 ? lead : 0;
    const mentioning = content.slice(0, from) + mention(content.slice(from));
    // A mention is longer than its name, so the part with mentions may be too long.
    return { content: codePoints(mentioning) <= MESSAGE_CODE_POINTS ? mentioning : content, endsAt, file: null };
  });
  return pieces.filter(({ content }) => content.trim() !== "");
}

/**
 * Plans a reply whose text doesn't fit: the last allowed message has the note, as many of its own words as fit with it and, once the reply is
 * final, the answer as a file.
 */
function attached(
  pieces: Unbuttoned[],
  { text, lead = 0, line, final, frozen, lost }: PlanInput,
  most: number,
): Unbuttoned[] {
  const note = [line ?? [], final ? say.wholeAnswerAttached : []].flat().join("\n");
  const room = MESSAGE_CODE_POINTS - codePoints(note) - 2;
  const parts = pieces.slice(0, most);
  while (lost && parts.length < frozen + 1) parts.push(nothing);
  return parts.map((part, index) => {
    if (index < parts.length - 1) return part;
    const kept = split(part.content, room)[0]?.content ?? "";
    // We can't tell how much of the original piece the shortened text shows, so none of it counts as shown.
    const endsAt = kept === part.content ? part.endsAt : (parts[index - 1]?.endsAt ?? 0);
    return { content: joinLine(kept, note), endsAt, file: final ? text.slice(lead) : null };
  });
}

/** The placeholder for a message that we can't change. */
const nothing: Unbuttoned = { content: "", endsAt: 0, file: null };

const joinLine = (content: string, line: string) => (content.trim() === "" ? line : `${content.trimEnd()}\n\n${line}`);
