// Checks the size of a row before it is written. The storage refuses a row of more than 2 MB (Cloudflare) with its own exception.
// Our limit is half of that, which leaves room, and our exception can be recognized.
import { byteLength } from "../../src/core/transcript/utf8.ts";
import type { RunSql, SqliteStorage, SqlValue } from "./sqlite-storage.ts";

/** The most bytes that the texts of a row may have. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** Thrown when a row is too large, before it is written. A transaction that it aborts changes nothing. */
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

/** Wraps the storage's SQL, so that each row is checked before it is written. */
export function withRowLimit(storage: Pick<SqliteStorage, "sql">): SqliteStorage["sql"] {
  return {
    exec(query, ...values) {
      if (/^\s*(?:INSERT|UPDATE)\b/.test(query)) checkRow(query.slice(0, SHOWN_QUERY_CHARS), values);
      return storage.sql.exec(query, ...values);
    },
  };
}

/** Returns the storage's SQL with the same check, for callers that need only the rows. */
export function openSql(storage: Pick<SqliteStorage, "sql">): RunSql {
  const sql = withRowLimit(storage);
  return (query, ...values) => sql.exec(query, ...values).toArray();
}

/** Enough to name the table. */
const SHOWN_QUERY_CHARS = 30;
