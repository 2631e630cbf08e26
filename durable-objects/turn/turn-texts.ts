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

/** Builds a person's words for the transcript, with who said them. A later turn of a scene gets our own cue instead. */
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
  // We wrote these words, so they have no speaker.
  if (catchUp) return asked(text);
  const words = withFileNames(text, attachments);
  return { ...asked(words), speaker: describeSpeaker(store, turn, turnId, words) };
}

/**
 * Builds what a turn adds to the transcript when it begins. A later turn of a scene also adds the person's words, if no earlier one has (a
 * parked one keeps them to itself), if another turn has spoken since then, or if so much was said that its window may not include them.
 */
export function buildQuestions(store: ChannelStore, turn: TurnRecord): Question[] {
  const question = buildQuestion(store, turn, turn.id);
  const { scene, ...request } = turn.request;
  return !scene?.index || isNear(store, turn, scene)
    ? [question]
    : [buildQuestion(store, { ...turn, request }, turn.id), question];
}

/**
 * Whether only the scene's speakers have spoken since the person's words, which are in a part of the transcript that fits a window even if each
 * character is a token.
 */
function isNear(store: ChannelStore, { id, request }: TurnRecord, scene: ScenePart): boolean {
  const speakers = scene.names.map((_, index) => sceneTurnId(scene.id, index));
  const said = store.messagesBefore(id, MAX_TRANSCRIPT_ROWS, transcriptOwner(request)).reverse();
  const since = said.slice(0, 1 + said.findIndex(({ speaker }) => speaker));
  const chars = since.reduce((sum, { text }) => sum + text.length, 0);
  return since.length > 0 && since.every(({ turnId }) => speakers.includes(turnId)) && chars < MAX_TRANSCRIPT_TOKENS;
}

/** Returns the text of all answers of a turn, in order: what its reply shows. */
export const saidText = (messages: StoredMessage[]): string =>
  messages.flatMap(({ role, text }) => (role === "assistant" && text.trim() !== "" ? [text] : [])).join("\n\n");

/** Returns the part of a turn's visible text that is not in the transcript yet, because it was still streaming. */
export function unstoredText(text: string, stored: string): string {
  if (!text.startsWith(stored)) return "";
  const rest = text.slice(stored.length);
  return stored !== "" && rest.startsWith("\n\n") ? rest.slice(2) : rest;
}

/** Returns the turn with what its question's sounds say, and with their cost in micro-dollars. */
export const withHeard = (turn: TurnRecord, sounds: readonly HeardSound[], microUsd: number): TurnRecord => ({
  ...turn,
  request: { ...turn.request, heard: [...(turn.request.heard ?? []), ...sounds] },
  usage: withCharge(turn.usage, microUsd),
});
