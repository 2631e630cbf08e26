// One playground at a time uses a folder. Another start may be as far as this one while nobody listens on the port yet, and each would
// write over what the other runs with.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Claims a folder until the returned function is called, or this process ends, in whatever way: the system then frees the lock. Null:
 * another process has it. Throws where nothing can be written there.
 */
export function claimFolder(folder: string): (() => void) | null {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, "claim"));
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw new Error(`Can't write in ${folder} (${(error as Error).message}).`);
  }
  const claimed = lock;
  return () => claimed.isOpen && claimed.close();
}
