// What a turn's tools can look up in the conversation: which message is meant, and the pictures sent with questions.
import type { ChannelStore } from "../../src/channel/store.ts";
import { attachmentKind } from "../../src/core/state/attachments.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { cleanName } from "../../src/core/transcript/names.ts";
import { readMessageLink } from "../../src/discord/message-link.ts";
import type { SentPicture, ToolServices } from "../../src/toolkit/define/tool-services.ts";
import { knownPeople } from "./known-people.ts";
import { readEarlier, readMessageIds } from "./turn-conversation.ts";

const SNOWFLAKE = /^\d{17,20}$/;

/** Finds a message of the turn's channel by an id, a link or a handle; see `ToolServices`. */
export function createMessageLookup(
  store: ChannelStore,
  { id: turnId, request }: TurnRecord,
): ToolServices["messageId"] {
  return (reference) => {
    const text = reference.trim();
    if (SNOWFLAKE.test(text)) return text;
    const link = readMessageLink(text);
    if (link) return link.channelId === request.channelId ? link.messageId : null;
    return readMessageIds(store, turnId).get(text) ?? null;
  };
}

/** Lists the pictures sent with the questions of a conversation, newest first. */
export function sentPictures(store: ChannelStore, turnId: string): SentPicture[] {
  const messages = [...readEarlier(store, store.recall(turnId)), ...store.messagesInTurn(turnId)];
  const turns = [...new Set(messages.filter(({ role }) => role === "user").map((one) => one.turnId))].reverse();
  return turns.flatMap((id) => {
    const { attachments = [], userName = "", taint, receivedAt: at = 0 } = store.turn(id)?.request ?? {};
    const pictures = attachments.filter((one) => attachmentKind(one) === "image");
    return pictures.map(({ filename, url }) => ({ filename, url, at, sentBy: userName, isOthers: taint === "full" }));
  });
}

/** Returns the id of the person meant by a mention, an id or the `@Name` of exactly one known person; null for anything else. */
export function findPerson(store: ChannelStore, turnId: string, reference: string): string | null {
  const [id] = reference.match(/\d{17,20}/) ?? [];
  if (id !== undefined) return id;
  const name = cleanName(reference);
  const ids = new Set(knownPeople(store, turnId).flatMap((one) => (one.name === name ? [one.id] : [])));
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? only : null;
}
