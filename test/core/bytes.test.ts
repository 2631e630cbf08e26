import { expect, it } from "vitest";
import { collectBytes, hexOf, joinBytes } from "../../src/core/bytes.ts";

it("pieces are joined in order, including views into larger buffers; no pieces make an empty array", () => {
  const whole = joinBytes([new Uint8Array([1, 2]), new Uint8Array(), new Uint8Array([9, 3, 4, 9]).subarray(1, 3)]);
  expect([[...whole], joinBytes([]).length]).toEqual([[1, 2, 3, 4], 0]);
});

it("collected pieces are copied, in order, because their source may reuse its buffer", () => {
  const { add, first } = collectBytes();
  const buffer = new Uint8Array(4096);
  const sizes = [1, 2, 3, 4, 5].map((byte) => {
    buffer.set([byte, byte]);
    return add(buffer.subarray(0, byte === 3 ? 2 : 1));
  });
  expect([sizes, add(new Uint8Array()), [...first()]]).toEqual([[1, 2, 4, 5, 6], 6, [1, 2, 3, 3, 4, 5]]);
  expect([[...first(2)], first().buffer.byteLength, [...collectBytes().first()]]).toEqual([[1, 2], 6, []]);
});

it("each byte is written as two hexadecimal digits", () => {
  expect(hexOf(new Uint8Array([0, 9, 10, 255]).buffer)).toBe("00090aff");
});
