// The part of an object's storage that the stores use, in words of its own: the same code runs on Node's SQLite in tests, where the
// platform's types are not known.

/** What a column holds. */
export type SqlValue = ArrayBuffer | string | number | null;

/** A database and its transactions. A transaction that throws leaves nothing; they are not nested. */
export interface SqliteStorage {
  sql: {
    exec(query: string, ...values: SqlValue[]): { toArray(): Record<string, SqlValue>[]; readonly rowsWritten: number };
  };
  transactionSync<Result>(work: () => Result): Result;
}
