// The moderators of a random week: they delete messages of the bot, and archive, lock, delete and reopen threads.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { OutageHarness } from "../support/outage-harness.ts";
import { type AnswerRecord, isOfAny, markIn, markOf, marksIn, rowsOf, turnsOf } from "./outage-rules.ts";
import type { WeekPeople } from "./week-people.ts";

const CLOSINGS = ["archived", "locked", "archived", "locked", "deleted"] as const;

/** What the moderators need of their week. */
export interface Moderated {
  harness: OutageHarness;
  random: () => number;
  people: WeekPeople;
  say: (what: string) => void;
}

/** The moderators. */
export class WeekModerators {
  readonly #moderated: Moderated;

  constructor(moderated: Moderated) {
    this.#moderated = moderated;
  }

  /** Deletes a message of the bot, mostly the newest one. */
  remove(): void {
    const { harness, random, people, say } = this.#moderated;
    const shown = people.shown(people.somewhere().channelId);
    const message = random() < 0.6 ? shown.at(-1) : this.#pick(shown);
    if (!message) return;
    // A scene's header also has the words of a speaker whose message may not have come.
    const others = shown.filter((one) => one !== message).flatMap(({ content }) => content.split(/\s+/));
    const turns = people.allTurns().filter(({ parts }) => parts.some(({ id }) => id === message.id));
    const marks = new Set([...turns.flatMap((turn) => markOf(turn) ?? []), ...marksIn(message.content)]);
    const records = people.records.filter((record) => marks.has(record.mark) || isOfAny(message, [record]));
    const done = harness.world.discord.touch({ kind: "delete", as: PEOPLE.mira, messageId: message.id });
    // Nobody can delete what somebody else has written to them directly.
    if (!done.ok) return;
    say(`removal of ${records.map(({ mark }) => mark).join("+")}`);
    for (const record of records)
      record.removed.push(...wordsOf(message.content, record).filter((word) => !others.includes(word)));
  }

  /** Closes a thread, or opens it again. */
  closeThread(): void {
    const { harness, people, say } = this.#moderated;
    const { world, closed } = harness;
    const thread = this.#pick(people.threads());
    if (!thread) return;
    const { channelId, database } = thread;
    const how = closed.has(channelId) ? "reopened" : this.#pick(CLOSINGS);
    say(`${how}${people.placeOf(thread)}`);
    if (how === "reopened") return void closed.delete(channelId);
    const set = rowsOf(database, "SELECT record FROM reminders").map(({ record }) => markIn(String(record)));
    // After a reset the object no longer knows what is shown there.
    const shown = people.shown(channelId).flatMap(({ content }) => marksIn(content));
    const marks = new Set([...turnsOf(database).map(markOf), ...set, ...shown]);
    const theirs = people.records.filter(({ mark }) => marks.has(mark));
    people.shut(theirs);
    if (how === "deleted")
      for (const record of theirs)
        if (people.isShown(record)) record.removed.push(`A${record.mark}`, `E${record.mark}`);
    closed.set(channelId, how);
    if (how === "deleted") world.discord.deleteChannel(channelId);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#moderated.random() * items.length)] as Item;
  }
}

/** What a message has of an answer: its beginning, its end and the numbers of its paragraphs; also a word of ours that something is gone. */
const wordsOf = (content: string, { mark }: AnswerRecord): string[] => [
  "a-removal",
  ...(content.match(new RegExp(`\\b(?:[AE]|\\d+P)${mark}`, "g")) ?? []),
];
