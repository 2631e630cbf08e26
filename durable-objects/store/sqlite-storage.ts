// The part of an object's storage that the stores use, as our own types, so that tests can run the same code on Node's SQLite
// without the platform's types. Also helpers that most stores use.

/** The value of a column. */
export type SqlValue = ArrayBuffer | string | number | null;

/** The columns of a row, by their names. */
export type Row = Record<string, SqlValue>;

/** Runs a statement and returns its rows. */
export type RunSql = (query: string, ...values: SqlValue[]) => Row[];

/** A database and its transactions. A transaction that throws changes nothing. Transactions are not nested. */
export interface SqliteStorage {
  sql: {
    exec(query: string, ...values: SqlValue[]): { toArray(): Row[]; readonly rowsWritten: number };
  };
  transactionSync<Result>(work: () => Result): Result;
}

/** Reads a text from a column that may be null, of a row that may be missing. */
export const textOrNull = (value: SqlValue | undefined): string | null => (value == null ? null : String(value));

/** Reads a number from a column that may be null, of a row that may be missing. */
export const numberOrNull = (value: SqlValue | undefined): number | null => (value == null ? null : Number(value));

/** Reads a column of JSON. */
export const readJson = <Value>(value: SqlValue | undefined): Value => JSON.parse(String(value)) as Value;

/** Reads a column of JSON that may be null. */
export const jsonOrNull = <Value>(value: SqlValue | undefined): Value | null =>
  value == null ? null : readJson<Value>(value);

/** Replaces the record of a table that has one row. */
export function putOnlyRecord(run: RunSql, table: string, record: object): void {
  const insert = `INSERT INTO ${table} VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`;
  run(insert, JSON.stringify(record));
}
