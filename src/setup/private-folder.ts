// A folder that only this person can read, for the one file with secrets that wrangler reads. It is removed at the end of the step, when the
// process ends (Ctrl-C, a closed terminal) or, after a power cut, by the next run.
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isFull } from "./full-disk.ts";

const PREFIX = "parley-setup-";
/** The process ends with one of these events. */
const ENDS = ["exit", "uncaughtExceptionMonitor"];
const ended: NodeJS.EventEmitter = process;

/** Runs the work with a new folder, and removes the folder whatever happens. Calls may be nested. */
export async function withPrivateFolder<Result>(
  tempFolder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // mkdtemp creates it with mode 0700.
  const folder = mkdtempSync(join(tempFolder, `${PREFIX}${process.pid}-`));
  const remove = () => removeTree(folder);
  // When the terminal is closed, printing the spinner throws, and throws again during the exit. Only the second event comes then.
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
 * Removes what killed runs left behind, except for folders of another person or of root, which only they can remove. Returns null, or why no
 * folder can be made here: `full` means that the disk has no room.
 */
export function removeLeftovers(
  tempFolder: string,
  remove = removeTree,
  make: (prefix: string) => string = mkdtempSync,
): "full" | "closed" | null {
  for (const name of listNames(tempFolder)) {
    const [, pid] = /^parley-setup-(\d+)-/.exec(name) ?? [];
    // At the start of a run, a folder with this process's own id comes from an older process.
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
