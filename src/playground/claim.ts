// Lets one process at a time use a folder. Two starts can run at once before either listens on the port, and each would overwrite the
// other's files.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Makes a folder and claims it until the returned function is called or this process ends in any way, which makes the system free the lock.
 * Null: another process has it. Throws if nothing can be written there.
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

/** Returns the reason in words. If a folder can't be made because its parent is read-only, Node reports ENOENT. */
function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it can't be made";
  return code.startsWith("ERR_") ? message : code;
}
