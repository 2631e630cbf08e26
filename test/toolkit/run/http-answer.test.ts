// The body of an HTTP answer, within a limit, and what a refusal says.
import { describe, expect, it } from "vitest";
import { readBody, readRefusal } from "../../../src/toolkit/run/http-answer.ts";
import { inOneBuffer } from "../../support/reused-buffer.ts";

const answering = (...chunks: number[][]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
        controller.close();
      },
    }),
  );

describe("a body", () => {
  it.each<[string, number[][], number[], boolean]>([
    ["of fewer bytes than are wanted", [[1], [2]], [1, 2], false],
    ["of as many", [[1, 2], [3]], [1, 2, 3], false],
    ["that continues after them", [[1, 2, 3], [4]], [1, 2, 3], true],
    [
      "whose last piece has too many",
      [
        [1, 2],
        [3, 4],
      ],
      [1, 2, 3],
      true,
    ],
  ])("%s is read, and cut only if there is more", async (_, chunks, bytes, cut) => {
    const read = await readBody(answering(...chunks), 3);
    expect([[...read.bytes], read.cut]).toEqual([bytes, cut]);
  });

  it("in one-byte pieces is copied as it comes, and no piece is kept with its buffer", async () => {
    const { bytes } = await readBody(new Response(inOneBuffer("a slow page")), 100);
    expect(new TextDecoder().decode(bytes)).toBe("a slow page");
  });

  it("that is missing is empty", async () => {
    expect(await readBody(new Response(null), 3)).toEqual({ bytes: new Uint8Array(), cut: false });
  });
});

describe("a refusal", () => {
  const ASKS = "The weather answered 503, asking to wait 3 s";
  it.each<[string, Record<string, string>, object]>([
    ["seconds", { "retry-after": "2.5" }, { retryAfterMs: 2500, error: ASKS }],
    ["zero seconds", { "retry-after": "0" }, { retryAfterMs: 0 }],
    ["a date, which needs a clock that both sides share", { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, {}],
    ["nothing", {}, {}],
  ])("says when to come back if the header has it: %s", async (_what, headers, time) => {
    expect(await readRefusal("The weather", new Response(null, { status: 503, headers }))).toEqual({
      ok: false,
      error: "The weather answered 503",
      retryable: true,
      ...time,
    });
  });
});
