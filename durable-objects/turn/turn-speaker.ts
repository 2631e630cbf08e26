// Describes who said a turn's question. It is stored next to the words and decided once, when the question joins the transcript.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import { mentionsIn } from "../../src/core/transcript/names.ts";
import { BOT_NAME, type MessageSpeaker, REST_MS } from "../../src/core/transcript/speaker.ts";

/**
 * Describes the speaker. `turnId`: the turn whose question it is, or which it joins. Gives a person who is new here a number, within the
 * caller's transaction.
 */
export function describeSpeaker(
  store: ChannelStore,
  { request }: TurnRecord,
  turnId: string,
  text: string,
): MessageSpeaker {
  const { userId, userName, receivedAt, repliesTo } = request;
  const earlier = [
    ...store.messagesBefore(turnId, MAX_TRANSCRIPT_ROWS, transcriptOwner(request)),
    ...store.messagesInTurn(turnId),
  ];
  const last = earlier.findLast(({ speaker }) => speaker !== undefined)?.speaker;
  const re = repliesTo === undefined ? undefined : findNumber(store, earlier, repliesTo);
  return {
    id: userId,
    name: userName,
    number: store.numberSpeaker(userId),
    at: receivedAt,
    ...(last && receivedAt - last.at >= REST_MS && { rested: true }),
    ...(re !== undefined && { re }),
    ...readNames(request, text, earlier),
  };
}

/** Returns the names of what the words mention, as far as they are known from Discord or the conversation. */
function readNames(
  { names = {}, applicationId }: TurnRequest,
  text: string,
  earlier: readonly StoredMessage[],
): Pick<MessageSpeaker, "names"> {
  const known: Record<string, string> = { [`@${applicationId}`]: BOT_NAME };
  for (const { speaker } of earlier) if (speaker) known[`@${speaker.id}`] = speaker.name;
  const found = mentionsIn(text).flatMap((key) => {
    const name = names[key] ?? known[key];
    return name === undefined ? [] : [[key, name]];
  });
  return found.length === 0 ? {} : { names: Object.fromEntries(found) };
}

/** Finds the number of the question that is this Discord message, or of the answer that the message is part of. */
function findNumber(store: ChannelStore, messages: readonly StoredMessage[], id: string): number | undefined {
  const isOf = ({ turnId, role }: StoredMessage) => {
    const turn = store.turn(turnId);
    return role === "user" ? (turn?.request.messageId ?? turnId) === id : turn?.parts.some((part) => part.id === id);
  };
  return messages.findLast(isOf)?.seq;
}
