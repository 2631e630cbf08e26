// The process of the Workers over its lives: killed without notice when a person asks for that, and restarted on the same storage.
import type { ChildProcess } from "node:child_process";
import { endGroup, killGroup, killWithUs } from "./process-group.ts";

/** The process that runs the Workers. */
export interface WorkersProcess {
  /** The leader of the current life's process group. */
  pid(): number;
  /** Settles when the process has ended by itself or by `stop`, but not when a life was killed. */
  ended: Promise<void>;
  /** Kills the whole group, like a power cut, and restarts. May be called at any time; two concurrent calls count as one. */
  killNine(): Promise<void>;
  /** Ends it for good. May be called twice. */
  stop(): Promise<void>;
}

/** Begins the first life. `begin` starts a process that leads its own process group. */
export function runWorkers(begin: () => ChildProcess): WorkersProcess {
  let isStopped = false;
  let killing: Promise<void> | null = null;
  const { promise: ended, resolve: settle } = Promise.withResolvers<void>();
  let life = start();

  function start() {
    const child = begin();
    const closed = new Promise<void>((done) => child.once("close", () => done()));
    if (child.pid !== undefined) void closed.then(killWithUs(child.pid));
    void closed.then(() => {
      if (killing === null || isStopped) settle();
    });
    return { pid: child.pid ?? 0, closed };
  }

  async function kill(): Promise<void> {
    await killGroup(life.pid);
    await life.closed;
    if (!isStopped) life = start();
  }

  return {
    pid: () => life.pid,
    ended,
    killNine: () => {
      killing ??= kill().finally(() => {
        killing = null;
      });
      return killing;
    },
    async stop() {
      isStopped = true;
      await killing;
      await endGroup(life.pid, life.closed);
    },
  };
}
