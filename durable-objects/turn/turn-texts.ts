// A turn's stored texts: its question, and the text of its answers.

import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS, MAX_TRANSCRIPT_TOKENS } from "../../src/core/limits.ts";
import { withCharge } from "../../src/core/money/usage.ts";
import { withFileNames } from "../../src/core/state/attachments.ts";
import type { HeardSound } from "../../src/core/state/media.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { cueText, type ScenePart, sceneTurnId } from "../../src/core/state/scene.ts";
import { describeSpeaker } from "./turn-speaker.ts";

type Question = Omit<StoredMessage, "seq">;

/** A person's words for the transcript, with who said them. A scene's later turn has a cue of our own instead. */
export function buildQuestion(store: ChannelStore, turn: TurnRecord, turnId: string): Question {
  const { scene, persona, text, attachments, catchUp } = turn.request;
  const asked = (words: string): Question => ({
    turnId,
    role: "user",
    text: words,
    details: "",
    calls: [],
    native: null,
  });
  if (scene !== undefined && scene.index > 0) return asked(cueText(persona?.name ?? ""));
  // The words are ours, and so no one has said them.
  if (catchUp) return asked(text);
  const words = withFileNames(text, attachments);
  return { ...asked(words), speaker: describeSpeaker(store, turn, turnId, words) };
}

/**
 * What a turn brings to the transcript when it begins. A scene's later turn brings the person's words, too, where no earlier one has (one
 * that is parked keeps them to itself), or where so much was said since that its window may be without them.
 */
export function buildQuestions(store: ChannelStore, turn: TurnRecord): Question[] {
  const question = buildQuestion(store, turn, turn.id);
  const { scene, ...request } = turn.request;
  return !scene?.index || isNear(store, turn, scene)
    ? [question]
    : [buildQuestion(store, { ...turn, request }, turn.id), question];
}

/** Are the person's words in a part of the transcript that fits a window even if each character is a token? */
function isNear(store: ChannelStore, { id, request }: TurnRecord, scene: ScenePart): boolean {
  const speakers = scene.names.map((_, index) => sceneTurnId(scene.id, index));
  let chars = 0;
  const said = store.messagesBefore(id, MAX_TRANSCRIPT_ROWS, transcriptOwner(request)).reverse();
  return said.some(({ turnId, speaker, text }) => {
    chars += text.length;
    return speaker && speakers.includes(turnId) && chars < MAX_TRANSCRIPT_TOKENS;
  });
}

/** The text of all answers of a turn, in order: what its reply shows. */
export const saidText = (messages: StoredMessage[]): string =>
  messages.flatMap(({ role, text }) => (role === "assistant" && text.trim() !== "" ? [text] : [])).join("\n\n");

/** The part of a turn's visible text that is not in the transcript yet: it was still streaming. */
export function unstoredText(text: string, stored: string): string {
  if (!text.startsWith(stored)) return "";
  const rest = text.slice(stored.length);
  return stored !== "" && rest.startsWith("\n\n") ? rest.slice(2) : rest;
}

/** The turn with what its question's sounds say, and what they cost in micro-dollars. */
export const withHeard = (turn: TurnRecord, sounds: readonly HeardSound[], microUsd: number): TurnRecord => ({
  ...turn,
  request: { ...turn.request, heard: [...(turn.request.heard ?? []), ...sounds] },
  usage: withCharge(turn.usage, microUsd),
});
