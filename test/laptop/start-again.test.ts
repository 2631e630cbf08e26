// Who may run a bot on this computer if it is started more than once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { leaveStart, takeFolder } from "../../src/laptop/start-again.ts";
import { serve } from "../../src/playground/serve.ts";

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-"));
  folder = join(root, "42");
});
afterEach(() => rm(root, { recursive: true }));

/** Nothing answers there. */
const NOWHERE = "http://127.0.0.1:1";

it("only one start runs the bot, even while it has no page yet", async () => {
  const first = await takeFolder(folder, "42");
  expect(first).toMatchObject({ isOurs: true });
  expect(await takeFolder(folder, "42")).toEqual({ isOurs: false, runsAt: null });
  if (first.isOurs) first.release();
  expect(await takeFolder(folder, "42")).toMatchObject({ isOurs: true });
});

it("the start whose page says so runs the bot; a page of another bot, or one that is gone, doesn't count", async () => {
  const page = await serve(() => Response.json({ id: "42" }));
  const first = await takeFolder(folder, "42");
  await leaveStart(folder, { pageUrl: page.url, runtimeUrl: NOWHERE, pid: 0 });
  expect(await takeFolder(folder, "42")).toEqual({ isOurs: false, runsAt: page.url });
  if (first.isOurs) first.release();
  expect(await takeFolder(folder, "43")).toMatchObject({ isOurs: true });
  await page.close();
});
