import { expect, it } from "vitest";
import { hexOf, joinBytes } from "../../src/core/bytes.ts";

it("pieces are joined in their order, parts of larger buffers among them; none make nothing", () => {
  const whole = joinBytes([new Uint8Array([1, 2]), new Uint8Array(), new Uint8Array([9, 3, 4, 9]).subarray(1, 3)]);
  expect([[...whole], joinBytes([]).length]).toEqual([[1, 2, 3, 4], 0]);
});

it("each byte is written as two hexadecimal digits", () => {
  expect(hexOf(new Uint8Array([0, 9, 10, 255]).buffer)).toBe("00090aff");
});
