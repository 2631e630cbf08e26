// The part of an object's storage that the stores use, as types of our own: tests run the same code on Node's SQLite,
// without the platform's types.

/** The value of a column. */
export type SqlValue = ArrayBuffer | string | number | null;

/** Runs a statement and returns what it finds. */
export type RunSql = (query: string, ...values: SqlValue[]) => Record<string, SqlValue>[];

/** A database and its transactions. A transaction that throws changes nothing. Transactions are not nested. */
export interface SqliteStorage {
  sql: {
    exec(query: string, ...values: SqlValue[]): { toArray(): Record<string, SqlValue>[]; readonly rowsWritten: number };
  };
  transactionSync<Result>(work: () => Result): Result;
}
