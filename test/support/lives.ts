// Set-up of the e2e lane: one process that begins and ends the lives of its deployed Workers. A test finds it by `inject`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { RuntimePlan } from "./runtime-plan.ts";

/**
 * What that process does when it is asked over HTTP: gives out a free port, which no other life of the lane gets; begins a life, whose lines it
 * adds to the file `log`; or kills the one with this port.
 */
export type Order = "port" | { plan: RuntimePlan; log: string } | { kill: number };

declare module "vitest" {
  interface ProvidedContext {
    /** Where the process listens that begins and ends lives. */
    lives: string;
  }
}

/** Starts it, and ends it with the lane. */
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
