// Stores the settings of a channel or a server, and their last changes, in the object's own SQLite.
import {
  MAX_RECORDED_CHANGES,
  MAX_RECORDED_UNITS,
  type RecordedChange,
  type SettingHistory,
} from "../../src/channel/setting-history.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { cutText } from "../../src/core/markdown/code-points.ts";
import { openSql } from "./row-size.ts";
import { type Row, type RunSql, type SqliteStorage, textOrNull } from "./sqlite-storage.ts";

/** The table, for the schema of each kind of object. */
export const SETTING_CHANGES_TABLE = `CREATE TABLE setting_changes (
    seq INTEGER PRIMARY KEY,
    interaction_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    user_id TEXT,
    key TEXT NOT NULL,
    old TEXT,
    new TEXT
  );`;

/** Makes the methods of a store that read and change the settings themselves. */
export const createSettings = (run: RunSql): Pick<ChannelStore, "settings" | "putSetting"> => ({
  settings: () =>
    Object.fromEntries(run("SELECT key, value FROM settings").map((row) => [String(row.key), String(row.value)])),
  putSetting: (key, value) =>
    void (value === null
      ? run("DELETE FROM settings WHERE key = ?", key)
      : run("INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)),
});

/** Opens the history of changes. The database's schema must be up to date. */
export function openSettingHistory(storage: Pick<SqliteStorage, "sql">): SettingHistory {
  const run = openSql(storage);
  const cut = (text: string | null) => (text === null ? null : cutText(text, MAX_RECORDED_UNITS));
  return {
    knows: (interactionId) => run("SELECT 1 FROM setting_changes WHERE interaction_id = ?", interactionId).length > 0,
    record(interactionId, { at, by, key, old, new: changed }) {
      run(
        "INSERT INTO setting_changes (interaction_id, at, user_id, key, old, new) VALUES (?, ?, ?, ?, ?, ?)",
        interactionId,
        at,
        by,
        key,
        cut(old),
        cut(changed),
      );
      run("DELETE FROM setting_changes WHERE seq <= (SELECT max(seq) FROM setting_changes) - ?", MAX_RECORDED_CHANGES);
    },
    changes: () => run("SELECT * FROM setting_changes ORDER BY seq DESC").map(readChange),
    forgetPerson: (userId) => void run("UPDATE setting_changes SET user_id = NULL WHERE user_id = ?", userId),
  };
}

const readChange = (row: Row): RecordedChange => ({
  at: Number(row.at),
  by: textOrNull(row.user_id),
  key: String(row.key),
  old: textOrNull(row.old),
  new: textOrNull(row.new),
});
