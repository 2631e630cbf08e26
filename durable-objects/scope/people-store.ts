// Stores what people asked a scope to keep: who wants to be left out of overheard messages, and facts that belong to them. The schema is in
// scope-store.ts.
import type { OwnFact } from "../../src/core/access/person-rpc.ts";
import { openSql } from "../store/row-size.ts";
import type { Row, SqliteStorage } from "../store/sqlite-storage.ts";

/** The most people that can be left out: every copy of the scope carries the list. */
export const MAX_LEFT_OUT = 1000;

/** The most facts of one person: all of them come with each of their questions. */
export const MAX_OWN_FACTS = 20;
/** The most people who may have facts: every copy of the scope carries the list. */
export const MAX_PEOPLE_WITH_FACTS = 1000;

/** This part of a scope's storage. Synchronous; the caller makes transactions where it needs them. */
export interface PeopleStore {
  /** The ids of the people who are left out, in the order in which they asked for it. */
  leftOut(): string[];
  /** False if the list is full. Repeating it changes nothing. */
  leaveOut(userId: string, at: number): boolean;
  takeIn(userId: string): void;
  /** The person's facts, the oldest first. */
  facts(userId: string): OwnFact[];
  /** The ids of the people who have facts, in the order of their first one. */
  withFacts(): string[];
  /** Returns the fact's number (a repeated text keeps its number), or which list is full. */
  remember(
    userId: string,
    fact: { text: string; at: number; origin: "person" | "untrusted" },
  ): number | "own_full" | "people_full";
  /** False if the person has no fact with this number. */
  forgetFact(userId: string, number: number): boolean;
  forgetFacts(userId: string): void;
}

/** Opens the store. The database's schema must be up to date. */
export function openPeopleStore(storage: Pick<SqliteStorage, "sql">): PeopleStore {
  const run = openSql(storage);
  const leftOut = () => run("SELECT user_id FROM left_out ORDER BY at, user_id").map((row) => String(row.user_id));
  const facts = (userId: string): OwnFact[] =>
    run("SELECT * FROM own_facts WHERE user_id = ? ORDER BY number", userId).map(readFact);
  const withFacts = () =>
    run("SELECT user_id FROM own_facts GROUP BY user_id ORDER BY min(number)").map((row) => String(row.user_id));
  return {
    leftOut,
    leaveOut(userId, at) {
      const known = leftOut();
      if (known.includes(userId)) return true;
      if (known.length >= MAX_LEFT_OUT) return false;
      run("INSERT INTO left_out VALUES (?, ?)", userId, at);
      return true;
    },
    takeIn: (userId) => void run("DELETE FROM left_out WHERE user_id = ?", userId),
    facts,
    withFacts,
    remember(userId, { text, at, origin }) {
      const own = facts(userId);
      const known = own.find((fact) => fact.text === text);
      // The person now states it themselves, so it is trusted, as with the channel's memories.
      if (known?.origin && origin === "person")
        run("UPDATE own_facts SET origin = NULL WHERE number = ?", known.number);
      if (known) return known.number;
      if (own.length >= MAX_OWN_FACTS) return "own_full";
      if (own.length === 0 && withFacts().length >= MAX_PEOPLE_WITH_FACTS) return "people_full";
      const insert = "INSERT INTO own_facts (user_id, text, at, origin) VALUES (?, ?, ?, ?) RETURNING number";
      const stored = origin === "untrusted" ? origin : null;
      return Number(run(insert, userId, text, at, stored)[0]?.number);
    },
    forgetFact: (userId, number) =>
      run("DELETE FROM own_facts WHERE user_id = ? AND number = ? RETURNING number", userId, number).length > 0,
    forgetFacts: (userId) => void run("DELETE FROM own_facts WHERE user_id = ?", userId),
  };
}

const readFact = ({ number, text, at, origin }: Row): OwnFact => ({
  number: Number(number),
  text: String(text),
  at: Number(at),
  ...(origin === "untrusted" && { origin }),
});
