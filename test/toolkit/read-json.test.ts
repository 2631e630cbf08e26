// Text from unknown sources is parsed only while it is small and flat.
import { describe, expect, it } from "vitest";
import { MAX_ARGUMENT_BYTES, MAX_DEPTH, readJson } from "../../src/toolkit/read-json.ts";

const read = (value: unknown) => readJson(JSON.stringify(value));
const tooDeep = { ok: false, problem: "too_deep" };

describe("JSON", () => {
  const within = (levels: number): unknown =>
    levels === 0 ? 1 : levels % 2 === 0 ? [within(levels - 1)] : { a: within(levels - 1) };

  it("is read down to its last level, and not one further", () => {
    expect(read(within(MAX_DEPTH))).toEqual({ ok: true, value: within(MAX_DEPTH) });
    expect(read(within(MAX_DEPTH + 1))).toEqual(tooDeep);
  });

  it("is as deep as its deepest part, however many parts are next to each other", () => {
    const parts = Array.from({ length: MAX_DEPTH }, () => [{}, []]);
    expect(read(parts)).toEqual({ ok: true, value: parts });
    expect(read([parts, within(MAX_DEPTH), parts])).toEqual(tooDeep);
  });

  it("has no levels in its strings, whatever they quote", () => {
    const texts = ["[{".repeat(MAX_DEPTH), '"', "[{".repeat(MAX_DEPTH), "\\", "]}".repeat(MAX_DEPTH)];
    expect(read(texts)).toEqual({ ok: true, value: texts });
    expect(read(["]}".repeat(MAX_DEPTH), within(MAX_DEPTH)])).toEqual(tooDeep);
  });

  it("keeps the digits of a number that is too large for ours", () => {
    expect(readJson('{"a":1e400,"b":[-1e400,1e308]}')).toEqual({
      ok: true,
      value: { a: "1e400", b: ["-1e400", 1e308] },
    });
  });

  it("has no half of a surrogate pair in its texts, because no tool could send one on", () => {
    expect(readJson('{"a":"\\ud83d","b":["x\\ude00","\\ud83d\\ude00"]}')).toEqual({
      ok: true,
      value: { a: "\ufffd", b: ["x\ufffd", "😀"] },
    });
  });

  it.each(["x", "é"])("is read up to its last byte, here of %s", (letter) => {
    const length = (MAX_ARGUMENT_BYTES - 2) / new TextEncoder().encode(letter).length;
    const text = letter.repeat(length);
    expect(read(text)).toEqual({ ok: true, value: text });
    expect(read(`${text}.`)).toEqual({ ok: false, problem: "too_large" });
  });
});
