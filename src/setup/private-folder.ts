// A folder that only this person can read, for the one file with secrets that wrangler reads: it is removed at the end of the step, at the
// end of the process (Ctrl-C, a closed terminal) or, after a power cut, by the next run.
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isFull } from "./full-disk.ts";

const PREFIX = "parley-setup-";
/** By either the process ends. */
const ENDS = ["exit", "uncaughtExceptionMonitor"];
const ended: NodeJS.EventEmitter = process;

/** Runs the work with a new folder and removes it whatever happens. May run again inside itself. */
export async function withPrivateFolder<Result>(
  tempFolder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // mkdtemp makes it with mode 0700.
  const folder = mkdtempSync(join(tempFolder, `${PREFIX}${process.pid}-`));
  const remove = () => removeTree(folder);
  // Where the terminal is closed, the line that turns on it fails, and fails again while it ends: then there is no other event.
  for (const event of ENDS) ended.prependOnceListener(event, remove);
  try {
    return await work(folder);
  } finally {
    remove();
    for (const event of ENDS) ended.removeListener(event, remove);
  }
}

const removeTree = (path: string): void => rmSync(path, { recursive: true, force: true });

/**
 * Removes what runs left behind that were killed. What is another person's, or was root's, only they can remove. Not null: why no folder can
 * be made here; `full`: there is no room on the disk.
 */
export function removeLeftovers(
  tempFolder: string,
  remove = removeTree,
  make: (prefix: string) => string = mkdtempSync,
): "full" | "closed" | null {
  for (const name of listNames(tempFolder)) {
    const [, pid] = /^parley-setup-(\d+)-/.exec(name) ?? [];
    // At the start of a run, what has its own number is an older process's.
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue;
    try {
      remove(join(tempFolder, name));
    } catch {}
  }
  try {
    rmdirSync(make(join(tempFolder, `${PREFIX}${process.pid}-`)));
    return null;
  } catch (error) {
    return isFull(error) ? "full" : "closed";
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
