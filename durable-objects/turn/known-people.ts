// The people whom a turn's conversation knows by name: those who spoke, and those whom they mentioned.
import type { ChannelStore } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import type { KnownPerson } from "../../src/core/markdown/mentions.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { cleanName, type MentionNames } from "../../src/core/transcript/names.ts";

/** Lists the people, with the names that the model reads. Someone with several names is listed once for each. */
export function knownPeople(store: ChannelStore, turnId: string): KnownPerson[] {
  const turn = store.recall(turnId);
  if (!turn) return [];
  const people = new Map<string, KnownPerson>();
  const add = (id: string, name: string) => people.set(`${id} ${name}`, { id, name: cleanName(name) });
  for (const { speaker } of readRows(store, turn)) {
    if (speaker) add(speaker.id, speaker.name);
    for (const [key, name] of Object.entries(speaker?.names ?? {})) if (key.startsWith("@")) add(key.slice(1), name);
  }
  return [...people.values()];
}

/** Returns the names of these people, keyed by their mentions. */
export const mentionNames = (people: readonly KnownPerson[]): MentionNames =>
  Object.fromEntries(people.map(({ id, name }) => [`@${id}`, name]));

const readRows = (store: ChannelStore, { id, request }: TurnRecord) => [
  ...store.messagesBefore(id, MAX_TRANSCRIPT_ROWS, transcriptOwner(request)),
  ...store.messagesInTurn(id),
];
