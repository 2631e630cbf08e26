// Set-up of the lanes: the temporary files of the tests, and so each object's storage, are kept in memory where the machine has room, because
// a disk that must hold every commit of 20,000 short lives takes a third of their time. What a `kill -9` leaves is the same on both.
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

/** May run for each lane of a run; the first one decides. */
export default async function inMemory(): Promise<undefined | (() => Promise<void>)> {
  // What the owner's shell has for their own bot must not reach the scripts that are tested: they would start it. Nor do these print in color.
  for (const name of Object.keys(process.env))
    if (/^(DISCORD_|OPENAI_|CLOUDFLARE_|FORCE_COLOR$)/.test(name)) delete process.env[name];
  if (process.env.TMPDIR?.startsWith(MEMORY) || !(await hasRoom())) return undefined;
  const before = process.env.TMPDIR;
  const folder = await mkdtemp(join(MEMORY, "parley-tests-"));
  process.env.TMPDIR = folder;
  // What is killed with this process may write for a moment longer.
  const sendAway = afterUs('sleep 2; rm -rf -- "$0"', folder);
  // What Node compiles for a script or for wrangler is kept for the next process that starts the same.
  process.env.NODE_COMPILE_CACHE ??= join(folder, "compiled");
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    // A process that is ending may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    sendAway();
  };
}
