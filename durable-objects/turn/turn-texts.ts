// A turn's stored texts: its question, and the text of its answers.
import type { StoredMessage } from "../../src/channel/store.ts";
import { withFileNames } from "../../src/core/state/attachments.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { cueText } from "../../src/core/state/scene.ts";

/** A person's words for the transcript, with their name in front, because several people talk here. */
export function buildQuestion({ request }: TurnRecord, turnId: string): Omit<StoredMessage, "seq"> {
  const { scene, persona } = request;
  const isAskedAlready = scene !== undefined && scene.index > 0;
  const said = withFileNames(`${request.userName}: ${request.text}`, request.attachments);
  const text = isAskedAlready ? cueText(persona?.name ?? "") : said;
  return { turnId, role: "user", text, details: "", calls: [], native: null };
}

/** The text of all answers of a turn, in order: what its reply shows. */
export function saidText(messages: StoredMessage[]): string {
  return readTexts(messages).join("\n\n");
}

const readTexts = (messages: StoredMessage[]): string[] =>
  messages.flatMap(({ role, text }) => (role === "assistant" && text.trim() !== "" ? [text] : []));

/** The part of a turn's visible text that is not in the transcript yet: it was still streaming. */
export function unstoredText(text: string, stored: string): string {
  if (!text.startsWith(stored)) return "";
  const rest = text.slice(stored.length);
  return stored !== "" && rest.startsWith("\n\n") ? rest.slice(2) : rest;
}
