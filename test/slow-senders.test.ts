// Bodies that arrive one byte at a time, wherever a body is read as a whole: no piece is kept, so a body takes only as much memory as it
// has bytes. The reader of tools has its own test. Also bodies that are never completed.
import { describe, expect, it } from "vitest";
import { answerInspector } from "../src/inspector/inspector.ts";
import { readAtMost } from "../src/model/read-at-most.ts";
import { scene } from "./support/endpoint-harness.ts";
import { fakeReader } from "./support/inspected.ts";
import { inOneBuffer } from "./support/reused-buffer.ts";

it("an interaction that is streamed one byte at a time is read and answered", async () => {
  const world = scene();
  const { url, headers } = await world.discord.sign(JSON.stringify({ type: 1 }));
  const body = inOneBuffer(JSON.stringify({ type: 1 }));
  const response = await world.dispatch(new Request(url, { method: "POST", headers, body, duplex: "half" }));
  expect([response.status, await response.json()]).toEqual([200, { type: 1 }]);
});

describe("a connection that breaks before the body is complete", () => {
  /** Some bytes, and then the error that workerd reports when the client is gone. */
  const broken = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
      pull: (controller) => controller.error(new Error("Network connection lost.")),
    });

  it("is logged once a minute, because anybody can cause it", async () => {
    const world = scene();
    const { url, headers } = await world.discord.sign("{}");
    for (let tries = 0; tries < 3; tries++) {
      const response = await world.dispatch(
        new Request(url, { method: "POST", headers, body: broken(), duplex: "half" }),
      );
      expect([response.status, world.calls]).toEqual([401, []]);
    }
    expect(world.errors).toEqual([{ line: "refused request", reason: "cut_off", unlogged: 0 }]);
  });

  it("counts as a wrong token in the inspector's form, not as a failure of the inspector", async () => {
    const reader = fakeReader();
    const request = new Request("https://parley.example/inspect", { method: "POST", body: broken(), duplex: "half" });
    const logError = (line: string) => {
      throw new Error(line);
    };
    const answer = await answerInspector(request, { token: "a token", reader, now: () => 0, logError });
    expect([answer.status, reader.asked]).toEqual([401, ['mayTry "" false']]);
  });
});

it("what a model made may arrive one byte at a time", async () => {
  const bytes = await readAtMost(new Response(inOneBuffer("a picture")), 9);
  expect(new TextDecoder().decode(bytes ?? undefined)).toBe("a picture");
  expect(await readAtMost(new Response(inOneBuffer("a picture")), 8)).toBeNull();
});
