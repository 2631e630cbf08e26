// Builds the request body that brings one message from what Discord shows to what it should show. Pure.
import { filesRefused } from "../../core/copy/files.ts";
import { MESSAGE_CODE_POINTS } from "../../core/limits.ts";
import { codePoints, unitsAtPoints } from "../../core/markdown/code-points.ts";
import type { MadeFile } from "../../core/state/reply-files.ts";
import { type Buttons, buildButtonRows } from "../components.ts";
import type { MessageBody } from "../rest/rest.ts";

/** What Discord shows of one message, as far as we know. Null content and buttons: unknown, because an earlier life sent it. */
export interface Posted {
  content: string | null;
  /** The position in the answer up to which this message and those before it show it. */
  endsAt: number;
  buttons: Buttons | null;
  /** Nothing can change or delete it: its id is not known, or it is deleted already. */
  isOut?: true;
  /** All of this was sent already and is sent again. */
  isResent?: true;
  /** The whole answer as a file, if the messages can't carry it, or the view's own file; else null. */
  file: string | null;
  /** The name of the view's own file. */
  fileName?: string;
  /** Files that tools and models made. */
  files?: readonly MadeFile[];
}

/** What a message should show next. Null content: the same as before. */
export type NextPart = Posted & { buttons: Buttons };

/** Whether the message shows something other than it should. Buttons are compared separately. */
export function isStale(part: Pick<Posted, "content" | "file" | "files">, posted: Posted | undefined): boolean {
  return posted?.content !== part.content || posted.file !== part.file || posted.files !== part.files;
}

/** Whether the message has other buttons than it should. Buttons that we don't know change only together with the text. */
export function hasOtherButtons({ buttons }: NextPart, posted: Posted | undefined): boolean {
  return posted?.buttons != null && posted.buttons.join() !== buttons.join();
}

/** Builds a body with only what changes: an edit without content leaves the content as it is. */
export function buildPartBody(
  part: NextPart,
  posted: Posted | undefined,
  clickTarget: string,
  isNew: boolean,
): MessageBody {
  const body: MessageBody = {};
  if (isStale(part, posted)) {
    body.content = part.content ?? "";
    if (hasFiles(part)) body.files = [...textFile(part), ...(part.files ?? [])];
    // A message whose content we don't know may have files as well.
    else if (posted && (posted.content === null || hasFiles(posted))) body.withoutFiles = true;
  }
  const before = isNew ? [] : (posted?.buttons ?? null);
  if (before?.join() !== part.buttons.join()) body.components = buildButtonRows(part.buttons, clickTarget);
  return body;
}

/** Whether the message has files. */
export const hasFiles = ({ file, files }: Pick<Posted, "file" | "files">): boolean =>
  file !== null || files !== undefined;

/** Whether the message has the whole answer as a file, because the reply's messages can't carry it. */
export const hasWholeAnswer = ({ file, fileName }: Posted): boolean => file !== null && fileName === undefined;

const textFile = ({ file, fileName = "answer.md" }: Posted) =>
  file === null ? [] : [{ name: fileName, type: "text/markdown; charset=utf-8", data: file }];

/**
 * Builds a body with only the words, for a message that Discord refused. A text that was a file is mentioned by its name. Approve is left
 * out, because nobody should approve a call whose arguments may be missing; it can still be denied.
 */
export function buildPlainBody(part: NextPart, clickTarget: string): MessageBody {
  const { content, buttons } = part;
  // An earlier life wrote the content: an edit without content leaves it as it is.
  if (content === null) return { components: [] };
  const lines = textFile(part).map(({ name }) => `\n${filesRefused([name])}`);
  const room = MESSAGE_CODE_POINTS - codePoints(lines.join(""));
  const components = buildButtonRows(buttons[0] === "approve" ? buttons.slice(1) : [], clickTarget);
  return { content: content.slice(0, unitsAtPoints(content, room)) + lines.join(""), components };
}
