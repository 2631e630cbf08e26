// The process of the Workers over its lives: killed without notice where a person asks for it, and begun again on the same storage.
import type { ChildProcess } from "node:child_process";
import { endGroup, killGroup, killWithUs } from "./process-group.ts";

/** What runs the Workers. Its process group is the present life's. */
export interface WorkersProcess {
  pid(): number;
  /** Settles when the process has ended by itself or by `stop`; a life that was killed is not the end. */
  ended: Promise<void>;
  /** Kills the whole group, as a power cut does, and begins again. May be called at any time; two calls at once are one. */
  killNine(): Promise<void>;
  /** Ends it for good. May be called twice. */
  stop(): Promise<void>;
}

/** Begins the first life. `begin` starts a process that leads a group of its own. */
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
