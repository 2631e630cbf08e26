// What one start of a bot leaves for the next: where to find it while it runs, and how to end its runtime. If `npm start` is killed, its
// runtime keeps running, and would keep the bot on Discord.
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
/**
 * The runtime reports the connection as closed before Discord has received the close frame. It is not our child process, so we can't see when
 * it is gone.
 */
const FAREWELL_MS = 1000;

/** Writes the start to the bot's folder, which exists. */
export const leaveStart = (folder: string, start: Start): Promise<void> =>
  writeFile(join(folder, FILE), JSON.stringify(start));

/**
 * Claims the bot's folder for this process, until `release` or its end, and ends a runtime that was left there. If another start has the
 * folder, `runsAt` is the address of its page; null: it has no page yet.
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
  // Process ids are reused, so the id is the runtime's only while the runtime answers.
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
