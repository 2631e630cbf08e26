// An object's storage that can be deleted as a whole while the object continues to live: the next statement creates a new database.
import type { SqliteStorage } from "./sqlite-storage.ts";

/** A storage that can be erased. */
export interface ErasableStorage extends SqliteStorage {
  /** Deletes everything. Must not be called within a transaction. */
  erase(): void;
}

/**
 * Wraps the object's storage. `prepare` brings a database's schema up to date; it runs before the first use after a deletion.
 * A deletion that fails is reported to `onFailure`; the empty tables stay, and work as before.
 */
export function erasable(
  storage: SqliteStorage & { deleteAll(): Promise<void> },
  prepare: (storage: SqliteStorage) => void,
  onFailure: (error: unknown) => void,
): ErasableStorage {
  let isErased = false;
  const renew = () => {
    if (!isErased) return;
    prepare(storage);
    // Set only after `prepare`, so that a failed preparation is tried again. Otherwise every later statement would miss its tables.
    isErased = false;
  };
  return {
    sql: {
      exec(query, ...values) {
        renew();
        return storage.sql.exec(query, ...values);
      },
    },
    transactionSync(work) {
      renew();
      return storage.transactionSync(work);
    },
    erase() {
      isErased = true;
      // Takes effect at once. The promise is about the disk, and Cloudflare's output gate waits for that.
      try {
        storage.deleteAll().catch(onFailure);
      } catch (error) {
        onFailure(error);
      }
    },
  };
}
