// What one start of a bot leaves for the next: where it can be found while it runs, and how to end a runtime that outlived its terminal
// (the process that held it was killed), and would keep the bot on Discord.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

/** The address of the page at which this bot runs already on this computer; null: it doesn't, any more. */
export async function findRunning(folder: string, applicationId: string): Promise<string | null> {
  const last = await readStart(folder);
  if (last === null) return null;
  const { id } = (await ask(`${last.pageUrl}/application`, {})) as { id?: unknown };
  if (id === applicationId) return last.pageUrl;
  // The id of a process is given to others in time: it is the runtime's while that answers.
  if ((await tellGateway(last.runtimeUrl, "POST", "end")) !== null) await endGroup(last.pid, sleep(FAREWELL_MS));
  return null;
}

async function readStart(folder: string): Promise<Start | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), "utf8")) as Start;
  } catch {
    return null;
  }
}
