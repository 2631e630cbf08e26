// Setup of the e2e lane: one process that starts and ends the lives of its deployed Workers. Tests find it through `inject`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { RuntimePlan } from "./runtime-plan.ts";

/**
 * What that process does on request over HTTP: hands out a free port, which no other life of the lane gets; starts a life, whose output it
 * appends to the file `log`; or kills the life on this port.
 */
export type Order = "port" | { plan: RuntimePlan; log: string } | { kill: number };

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the process that starts and ends lives. */
    lives: string;
  }
}

/** Starts the process, and ends it with the lane. */
export default async function openLives(project: TestProject): Promise<() => Promise<void>> {
  const child = fork(join(import.meta.dirname, "lives-process.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [port] = await once(child, "message");
  project.provide("lives", `http://127.0.0.1:${port}`);
  return async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
}
