// The schema of a channel's database, as a list of steps that only grows. A released step never changes. A program refuses data of a newer
// version, which it would damage, unless that version says that this program can work with it.
import { REPLY_FILES_TABLE } from "./reply-files.ts";
import { SETTING_CHANGES_TABLE } from "./setting-history.ts";

/**
 * How many steps the oldest program knows that can work with this database after a deploy was rolled back. Leave it for a step that only adds
 * tables. After any other step it is the length of the list, because most rows are written whole, without the names of their columns.
 */
export const OLDEST_READER = 18;

/** Each entry brings the database from the version equal to its index to the next one. */
export const migrations: readonly string[] = [
  `CREATE TABLE lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    record TEXT NOT NULL
  );
  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    place REAL NOT NULL,
    created_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    details TEXT NOT NULL,
    calls TEXT,
    native TEXT
  );
  CREATE TABLE ledger (
    message_seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    turn_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    instance TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (message_seq, position)
  ) WITHOUT ROWID;
  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE answers (
    interaction_id TEXT PRIMARY KEY,
    answer TEXT NOT NULL
  ) WITHOUT ROWID;`,
  `CREATE TABLE parent_settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    record TEXT NOT NULL
  );`,
  // People see the numbers of memories, so the number of a deleted one is never used again: AUTOINCREMENT.
  `CREATE TABLE memories (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = 'porter unicode61 remove_diacritics 2');
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    text TEXT NOT NULL
  );`,
  "ALTER TABLE ledger ADD COLUMN key TEXT",
  `CREATE TABLE reminders (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    fired_at INTEGER,
    record TEXT NOT NULL
  );`,
  `CREATE TABLE manifests (
    server TEXT PRIMARY KEY,
    record TEXT NOT NULL
  ) WITHOUT ROWID;`,
  `CREATE TABLE cached_results (
    key TEXT PRIMARY KEY,
    json TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;`,
  // Whether the channel was used before anyone decided who may use it.
  "CREATE TABLE origin AS SELECT EXISTS (SELECT 1 FROM turns WHERE state <> 'refused') AS used_before;",
  `CREATE TABLE scope_note (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    record TEXT NOT NULL
  );
  CREATE TABLE reports (turn_id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;`,
  SETTING_CHANGES_TABLE,
  `CREATE TABLE marks (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE thread_parent (id INTEGER PRIMARY KEY CHECK (id = 1), channel_id TEXT NOT NULL);`,
  // Who asked a question. The text of rows without it begins with `Name: `.
  `ALTER TABLE messages ADD COLUMN speaker TEXT;
  CREATE TABLE speakers (user_id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;`,
  REPLY_FILES_TABLE,
  // Whether the notes were written in a turn that had read words of strangers.
  "ALTER TABLE notes ADD COLUMN tainted INTEGER NOT NULL DEFAULT 0",
  // Reports once everyone whose words are here, as turns that used nothing, so that the scope can make this channel forget them.
  `WITH asked AS (
    SELECT json_extract(record, '$.trigger.userId') AS user_id,
      json_extract(record, '$.trigger.channelId') AS channel_id,
      iif(json_extract(record, '$.trigger.botIsHere') = 0, NULL, json_extract(record, '$.trigger.guildId')) AS guild_id,
      created_at AS at
    FROM turns
  ), here AS (
    SELECT channel_id, guild_id FROM asked ORDER BY guild_id IS NULL, at DESC LIMIT 1
  ), known AS (
    SELECT user_id, channel_id, guild_id, at FROM asked
    UNION ALL SELECT user_id, json_extract(record, '$.place.channelId'), json_extract(record, '$.place.guildId'),
      json_extract(record, '$.setAt') FROM reminders
    UNION ALL SELECT user_id, channel_id, guild_id, at FROM memories, here
  )
  INSERT OR IGNORE INTO reports
  SELECT 'people:' || channel_id || ':' || ifnull(guild_id, '') || ':' || user_id, json_object(
    'turnId', 'people:' || channel_id || ':' || ifnull(guild_id, '') || ':' || user_id, 'userId', user_id,
    'channelId', channel_id, 'guildId', guild_id, 'at', max(at),
    'usage', json('{"inputTokens":0,"outputTokens":0,"modelCalls":0}'))
  FROM known WHERE user_id IS NOT NULL AND channel_id IS NOT NULL AND at IS NOT NULL GROUP BY user_id, channel_id, guild_id;`,
  // Who proposed a memory; null if a person asked for it.
  "ALTER TABLE memories ADD COLUMN origin TEXT;",
  "CREATE TABLE summary (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL);",
  // How the model call went that produced the message, for the inspector.
  "ALTER TABLE messages ADD COLUMN model_call TEXT",
];
