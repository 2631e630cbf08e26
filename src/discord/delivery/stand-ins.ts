// Builds what a reply shows in place of its answer: a request for a click or, if Discord refuses the words, a line or a file. Pure.
import { filesRefused } from "../../core/copy/files.ts";
import { say } from "../../core/copy/notices.ts";
import { cutText } from "../../core/markdown/code-points.ts";
import type { ReplyView } from "../../turn/ports.ts";

/** Why the words are not shown. `blocked`: Discord's filters refuse them. `refused`: Discord refuses them in every form. */
export type Withheld = "blocked" | "refused";

/** Returns the view while a click is needed for the rest. */
export const askingForClick = ({ text, line }: ReplyView): ReplyView => ({
  text,
  line: line === null ? say.deliveryWaits : `${line}\n${say.deliveryWaits}`,
});

/** Returns the view without its words. Files that tools made are still shown, and a file has the answer, unless a filter refused its words. */
export function inPlaceOf({ line, files }: ReplyView, withheld: Withheld, answer: string): ReplyView {
  const made = files && { files };
  if (withheld === "blocked") return { text: "", line: say.blocked, ...made };
  const lines = [say.notTaken, say.wholeAnswerAttached, ...(line === null ? [] : [line])];
  return { text: "", line: lines.join("\n"), file: { name: "answer.md", text: answer }, ...made };
}

const MOST_NAMES_CHARS = 950;

/** Returns the view with the names of its files in place of the files. */
export function withoutFiles({ files, ...view }: ReplyView): ReplyView {
  if (!files) return view;
  const named = cutText(filesRefused(files.map(({ name }) => name)), MOST_NAMES_CHARS);
  return { ...view, line: view.line === null ? named : `${view.line}\n${named}` };
}
