// The files of a tool's answer: which ones are accepted, and what the model reads about them.
import { describe, expect, it } from "vitest";
import { createResultCache } from "../../../src/toolkit/run/cache.ts";
import { toolMessageText } from "../../../src/turn/function-response.ts";
import { bench, benchWith, probe } from "../arrange.ts";

const data = new Uint8Array([1, 2, 3]);
const picture = { name: "a b.png", type: "image/png", data };

describe("files of an answer", () => {
  it("are kept apart from its data, under names that Discord keeps", async () => {
    const result = await bench(probe(() => ({ ok: true, data: { drawn: 1 }, files: [picture] }))).call();
    expect(result).toEqual({
      ok: true,
      status: "ok",
      data: { drawn: 1 },
      files: [{ name: "a_b.png", type: "image/png", bytes: 3, data }],
    });
  });

  it("are read by the model without their bytes", () => {
    const note = { name: "a.png", type: "image/png", bytes: 3 };
    const files = [
      { ...note, data },
      { ...note, leftOut: true as const },
    ];
    expect(JSON.parse(toolMessageText("draw", { ok: true, status: "ok", data: { drawn: 1 }, files }))).toEqual({
      drawn: 1,
      attached_to_your_answer: [note],
      left_out_because_too_many_or_too_large: [note],
    });
  });

  it("are named up to three times as many as a reply may have, and the others are counted", async () => {
    const files = Array.from({ length: 60_000 }, (_, index) => ({ ...picture, name: `${index}.png` }));
    const result = await bench(probe(() => ({ ok: true, data: 1, files }))).call();
    expect(result.files?.map(({ name }) => name)).toEqual(Array.from({ length: 27 }, (_, index) => `${index}.png`));
    expect(result.warnings).toEqual(["59973 more files were left out"]);
    const few = await bench(probe(() => ({ ok: true, data: 1, files: files.slice(0, 27) }))).call();
    expect([few.files?.length, few.warnings]).toEqual([27, undefined]);
  });

  it.each([
    ["a failure has none", { ok: false, error: "no", files: [picture] }, undefined],
    ["an empty one is dropped", { ok: true, data: 1, files: [{ ...picture, data: new Uint8Array() }] }, undefined],
  ])("%s", async (_what, answer, files) => {
    expect((await bench(probe(() => answer as never)).call()).files).toEqual(files);
  });

  it.each([
    ["of names", { ok: true, files: ["a.txt"] }],
    ["of texts", { ok: true, files: [{ name: "a.txt", type: "text/plain", data: "words" }] }],
    ["of nothing", { ok: true, files: [] }],
  ])("are not recognized in a list %s, which is data", async (_what, answer) => {
    const result = await bench(probe(() => answer as never)).call();
    expect(result).toEqual({ ok: true, status: "ok", data: { files: answer.files } });
  });

  it.each([
    ["name", { type: picture.type, data }],
    ["type", { name: picture.name, data }],
  ])("need a %s", async (_what, file) => {
    const result = await bench(probe(() => ({ ok: true, files: [file] }) as never)).call();
    expect(result).toMatchObject({
      status: "invalid_result",
      error: "the tool returned a Uint8Array, which JSON can't represent",
    });
  });

  it("come once if equal calls share a run, and are not cached", async () => {
    let runs = 0;
    let answer = () => {};
    const drawn = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const tool = probe(
      async () => {
        runs++;
        await drawn;
        return { ok: true, data: runs, files: [picture] };
      },
      { cache: { scope: "session", ttlSeconds: 60 } },
    );
    const { call, clock } = benchWith({ cache: createResultCache(), sha256: async (text) => text }, tool);
    const first = call();
    while (runs === 0) await clock.advance(0);
    const second = call();
    await clock.advance(0);
    answer();
    const ended = [await first, await second, await call()];
    expect(ended.map(({ data, files }) => [data, files?.[0]?.bytes, files?.[0]?.data?.length])).toEqual([
      [1, 3, 3],
      [1, 3, undefined],
      [2, 3, 3],
    ]);
  });
});
