// What happens to a person's data in each table when they have themselves forgotten. A new table is in no list, so this fails until somebody
// decides: put it into the right list, and prove that where its rows are written (upkeep/forget.test.ts, scope/people.test.ts).
import { expect, it } from "vitest";
import { openGatewayStore } from "../../../durable-objects/gateway/gateway-store.ts";
import { openScopeStore } from "../../../durable-objects/scope/scope-store.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import type { SqliteStorage } from "../../../durable-objects/store/sqlite-storage.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

/** The tables by what happens to their rows. */
interface Tables {
  /** The person's rows, or what names them in others' rows, are deleted; sums of today when the day is over. */
  forgotten: string;
  /** The rows are deleted without being asked for, soon or at their time. */
  expire: string;
  /** The rows stay: they are an owner's or a manager's decision about the person, or are needed in order to forget them. */
  stay: string;
  /** The rows contain nobody's words, names or ids. */
  empty: string;
}

const CHANNEL: Tables = {
  forgotten: `answers ledger lock marks memories memory_words messages notes parent_settings reminders reply_files setting_changes speakers
    summary turns`,
  // Tools say how long their answers are kept; a report is deleted once the scope has it; the scope's next note replaces the last one.
  expire: "cached_results reports scope_note",
  stay: "settings",
  empty: "manifests origin schema thread_parent",
};
const SCOPE: Tables = {
  forgotten: "facts own_facts setting_changes usage used_in",
  expire: "leases outbox reported",
  stay: "blocked forgotten left_out settings to_forget",
  empty: "schema servers",
};
const GATEWAY: Tables = { forgotten: "", expire: "channels outbox questions", stay: "", empty: "schema session" };

/** The tables of a new database, without those of SQLite itself and those that belong to an index. */
function tablesOf(open: (storage: SqliteStorage) => unknown): string[] {
  const database = nodeSqlite();
  open(database);
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'";
  const names = database.sql.exec(query).toArray();
  return names.map(({ name }) => String(name)).filter((name) => !name.startsWith("memory_words_"));
}

it.for([
  ["a channel's", openSqliteStore, CHANNEL],
  ["a scope's", openScopeStore, SCOPE],
  ["the gateway's", openGatewayStore, GATEWAY],
] as const)(
  "for every table of %s database there is a decision about what forgetting a person does",
  ([, open, tables]) => {
    const decided = Object.values(tables).flatMap((names: string) => names.split(/\s+/).filter(Boolean));
    expect(decided.sort()).toEqual(tablesOf(open).sort());
  },
);
