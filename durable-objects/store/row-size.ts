// The size of a row, checked before it is written. The storage refuses a row of more than 2 MB (Cloudflare) with an exception
// of its own; half of that leaves room, and a failure of ours can be recognized.
import { byteLength } from "../../src/core/transcript/utf8.ts";
import type { RunSql, SqliteStorage, SqlValue } from "./sqlite-storage.ts";

/** The most bytes of a row's texts. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** A row was too large and was not written. A transaction that it leaves has changed nothing. */
export class RowTooLarge extends Error {
  override readonly name = "RowTooLarge";

  constructor(what: string, bytes: number) {
    super(`a row of ${bytes} bytes is more than ${MAX_ROW_BYTES}: ${what}`);
  }
}

/** Throws `RowTooLarge` when the texts of one row are too long together. */
export function checkRow(what: string, values: readonly SqlValue[]): void {
  const texts = values.filter((value) => typeof value === "string");
  // A unit of UTF-16 has at most three bytes, and nearly all rows are far smaller.
  if (texts.reduce((sum, text) => sum + text.length, 0) * 3 <= MAX_ROW_BYTES) return;
  const bytes = texts.reduce((sum, text) => sum + byteLength(text), 0);
  if (bytes > MAX_ROW_BYTES) throw new RowTooLarge(what, bytes);
}

/** The storage's SQL, which checks each row before it writes it. */
export function withRowLimit(storage: Pick<SqliteStorage, "sql">): SqliteStorage["sql"] {
  return {
    exec(query, ...values) {
      if (/^\s*(?:INSERT|UPDATE)\b/.test(query)) checkRow(query.slice(0, SHOWN_QUERY_CHARS), values);
      return storage.sql.exec(query, ...values);
    },
  };
}

/** The storage's SQL with the same check, for callers that need only the rows. */
export function openSql(storage: Pick<SqliteStorage, "sql">): RunSql {
  const sql = withRowLimit(storage);
  return (query, ...values) => sql.exec(query, ...values).toArray();
}

/** Enough to name the table. */
const SHOWN_QUERY_CHARS = 30;
