// Ends a process together with everything that it started, which shares its process group.
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const STOP_LIMIT_MS = 5_000;
const REAP_MS = 20;

/** Ends the group that `pid` leads; `ended` settles when the leader is gone. May run twice. */
export async function endGroup(pid: number, ended: Promise<void>): Promise<void> {
  signalGroup(pid, "SIGTERM");
  await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
  // workerd may outlive wrangler, so end whatever is left of the group.
  await killGroup(pid);
}

/** Kills the group that `pid` leads without notice; resolves when none of its processes is left. May run twice. */
export async function killGroup(pid: number): Promise<void> {
  const until = Date.now() + STOP_LIMIT_MS;
  while (signalGroup(pid, "SIGKILL") && Date.now() < until) await sleep(REAP_MS);
}

/** Arranges that the group that `pid` leads is killed if this process dies and can't end it itself. The returned function cancels that. */
export const killWithUs = (pid: number): (() => void) => afterUs('kill -s KILL -- "-$0"', String(pid));

/**
 * Makes a shell run this script, whose `$0` is `given`, once this process has ended in any way. The shell waits for the end of its input, which
 * comes when this process no longer has it open. The returned function ends the shell. On a system without `sh`, nothing runs.
 */
export function afterUs(script: string, given: string): () => void {
  const watch = spawn("sh", ["-c", `read -r _; ${script}`, given], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watch.once("error", () => {});
  // Neither the shell nor its input may keep this process from ending.
  watch.unref();
  (watch.stdin as Socket).unref();
  return () => void watch.kill("SIGKILL");
}

/** False: the group no longer exists. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}
