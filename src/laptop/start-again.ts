// What one start of a bot leaves for the next: where it can be found while it runs, and how to end its runtime. A runtime whose terminal's
// process was killed outlives it, and would keep the bot on Discord.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claimFolder } from "../playground/claim.ts";
import { endGroup } from "../playground/process-group.ts";
import { ask, tellGateway } from "./ask-runtime.ts";

/** A start. `pid` leads the process group of its runtime. */
export interface Start {
  pageUrl: string;
  runtimeUrl: string;
  pid: number;
}

const FILE = "start.json";
/** The runtime says that the connection is closed before Discord has the close's frame. It is not our child, so nothing tells when it is gone. */
const FAREWELL_MS = 1000;

/** Leaves it in the bot's folder, which exists. */
export const leaveStart = (folder: string, start: Start): Promise<void> =>
  writeFile(join(folder, FILE), JSON.stringify(start));

/**
 * Takes the bot's folder for this process, until `release` or its end, and ends a runtime that was left there. Where another start has it,
 * `runsAt` is the address of that one's page; null: it has none yet.
 */
export async function takeFolder(
  folder: string,
  applicationId: string,
): Promise<{ isOurs: true; release: () => void } | { isOurs: false; runsAt: string | null }> {
  const release = claimFolder(folder);
  const last = await readStart(folder);
  const { id } = last === null ? {} : ((await ask(`${last.pageUrl}/application`, {})) as { id?: unknown });
  const runsAt = last !== null && id === applicationId ? last.pageUrl : null;
  if (release === null || runsAt !== null) return { isOurs: false, runsAt };
  // The id of a process is given to others in time: it is the runtime's while that answers.
  const isLeft = last !== null && (await tellGateway(last.runtimeUrl, "POST", "end")) !== null;
  if (isLeft) await endGroup(last.pid, sleep(FAREWELL_MS));
  return { isOurs: true, release };
}

async function readStart(folder: string): Promise<Start | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), "utf8")) as Start;
  } catch {
    return null;
  }
}
