// Bodies that come a byte at a time, wherever one is read as a whole: no piece is kept, so that a body takes as much memory as it has bytes.
// The reader of tools has its test beside it.
import { expect, it } from "vitest";
import { readAtMost } from "../src/model/read-at-most.ts";
import { scene } from "./support/endpoint-harness.ts";
import { inOneBuffer } from "./support/reused-buffer.ts";

it("an interaction that is streamed a byte at a time is read, and answered", async () => {
  const world = scene();
  const { url, headers } = await world.discord.sign(JSON.stringify({ type: 1 }));
  const body = inOneBuffer(JSON.stringify({ type: 1 }));
  const response = await world.dispatch(new Request(url, { method: "POST", headers, body, duplex: "half" }));
  expect([response.status, await response.json()]).toEqual([200, { type: 1 }]);
});

it("what a model made may come a byte at a time", async () => {
  const bytes = await readAtMost(new Response(inOneBuffer("a picture")), 9);
  expect(new TextDecoder().decode(bytes ?? undefined)).toBe("a picture");
  expect(await readAtMost(new Response(inOneBuffer("a picture")), 8)).toBeNull();
});
