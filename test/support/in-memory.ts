// Setup of the lanes: keeps the tests' temporary files, and so each object's storage, in memory if the machine has room, because syncing every
// commit of 20,000 short lives to disk takes a third of their time. What a `kill -9` leaves is the same on both.
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { afterUs } from "../../src/playground/process-group.ts";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** A whole run leaves 300 MB; containers often have only 64 here. */
const ROOM_BYTES = 2e9;

const hasRoom = async (): Promise<boolean> => {
  try {
    await access(MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
};

/** Runs once for each lane of a run; the first call decides. */
export default async function inMemory(): Promise<undefined | (() => Promise<void>)> {
  // Variables in the developer's shell for their own bot must not reach the tested scripts, which would start it. Nor must these print in color.
  for (const name of Object.keys(process.env))
    if (/^(DISCORD_|OPENAI_|CLOUDFLARE_|FORCE_COLOR$)/.test(name)) delete process.env[name];
  if (process.env.TMPDIR?.startsWith(MEMORY) || !(await hasRoom())) return undefined;
  const before = process.env.TMPDIR;
  const folder = await mkdtemp(join(MEMORY, "parley-tests-"));
  process.env.TMPDIR = folder;
  // Processes that are killed with this one may write for a moment longer.
  const sendAway = afterUs('sleep 2; rm -rf -- "$0"', folder);
  // Keeps what Node compiles for a script or for wrangler, for the next process that starts the same.
  process.env.NODE_COMPILE_CACHE ??= join(folder, "compiled");
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    // A process that is ending may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    sendAway();
  };
}
