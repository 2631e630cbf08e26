// One playground at a time uses a folder. Another start may be as far as this one while nobody listens on the port yet, and each would
// write over what the other runs with.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Makes a folder and claims it until the returned function is called, or this process ends, in whatever way: the system then frees the lock. Null:
 * another process has it. Throws where nothing can be written there.
 */
export function claimFolder(folder: string): (() => void) | null {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    lock = new DatabaseSync(join(folder, "claim"));
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw new Error(
      `Can't write in ${folder} (${reasonOf(error)}). Make it yours, make room if the disk is full, or use a new clone.`,
    );
  }
  const claimed = lock;
  return () => claimed.isOpen && claimed.close();
}

/** Where a folder can't be made because another is read-only, Node says that there is none. */
function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it can't be made";
  return code.startsWith("ERR_") ? message : code;
}
