// The request body that brings one message from what Discord shows to what it should show. Pure.
import { stopRow } from "./components.ts";
import type { WantedPart } from "./delivery-plan.ts";
import type { MessageBody } from "./rest.ts";

/** What Discord shows of one message, as far as we know; null: an earlier life sent it and we don't know. */
export interface Posted {
  content: string | null;
  endsAt: number;
  stopButton: boolean | null;
  file: string | null;
}

/** Of a text that Discord refused in full dress, what is tried without it. */
const PLAIN_CHARS = 1900;

/** Does the message show something else than it should? Its button is looked at apart. */
export function isStale(part: WantedPart, posted: Posted | undefined): boolean {
  return posted?.content !== part.content || posted.file !== part.file;
}

/** Only what changes: an edit that leaves the content out leaves it as it is. */
export function bodyOf(part: WantedPart, posted: Posted | undefined, stopButtonOf: string | null): MessageBody {
  const body: MessageBody = {};
  if (isStale(part, posted)) {
    body.content = part.content;
    if (part.file !== null) body.file = { name: "answer.md", text: part.file };
  }
  if (stopButtonOf !== null && part.stopButton !== (posted?.stopButton ?? null))
    body.components = part.stopButton ? stopRow(stopButtonOf) : [];
  return body;
}

/** The words alone, for a message that Discord would not take as it was. */
export const plainBodyOf = (part: WantedPart): MessageBody => ({
  content: part.content.slice(0, PLAIN_CHARS),
  components: [],
});
