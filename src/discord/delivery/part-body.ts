// The request body that brings one message from what Discord shows to what it should show. Pure.
import { type Buttons, buildButtonRows } from "../components.ts";
import type { MessageBody } from "../rest/rest.ts";
import type { WantedPart } from "./delivery-plan.ts";

/** What Discord shows of one message, as far as we know; null: an earlier life sent it and we don't know. */
export interface Posted {
  content: string | null;
  endsAt: number;
  buttons: Buttons | null;
  file: string | null;
}

/** Of a text that Discord refused in full dress, what is tried without it. */
const PLAIN_CHARS = 1900;

/** Does the message show something else than it should? Its buttons are looked at apart. */
export function isStale(part: Pick<Posted, "content" | "file">, posted: Posted | undefined): boolean {
  return posted?.content !== part.content || posted.file !== part.file;
}

/** Are these other buttons than those that stand there? Of buttons that we don't know only a change of the text asks. */
export function hasOtherButtons({ buttons }: WantedPart, posted: Posted | undefined): boolean {
  return posted?.buttons != null && posted.buttons.join() !== buttons.join();
}

/** Only what changes: an edit that leaves the content out leaves it as it is. */
export function buildPartBody(
  part: Posted & { buttons: Buttons },
  posted: Posted | undefined,
  turnId: string,
  isNew: boolean,
): MessageBody {
  const body: MessageBody = {};
  if (isStale(part, posted)) {
    body.content = part.content ?? "";
    if (part.file !== null) body.file = { name: "answer.md", text: part.file };
  }
  const before = isNew ? [] : (posted?.buttons ?? null);
  if (before?.join() !== part.buttons.join()) body.components = buildButtonRows(part.buttons, turnId);
  return body;
}

/** The words alone, for a message that Discord would not take as it was. */
export const buildPlainBody = (part: Posted): MessageBody => ({
  content: (part.content ?? "").slice(0, PLAIN_CHARS),
  components: [],
});
