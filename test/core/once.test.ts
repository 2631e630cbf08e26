import { expect, it } from "vitest";
import { once, onceExpression } from "../../src/core/once.ts";

it("a value is created at the first call, and never again", () => {
  const made: object[] = [];
  const value = once(() => {
    const one = {};
    made.push(one);
    return one;
  });
  expect(made).toEqual([]);
  expect(value()).toBe(value());
  expect(made).toHaveLength(1);
});

it("a value whose creation failed is tried again", () => {
  let tries = 0;
  const value = once(() => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return { tries };
  });
  expect(value).toThrow("not yet");
  expect(value()).toEqual({ tries: 2 });
});

it("an expression is compiled at the first call, as if it were a literal", () => {
  const letters = onceExpression("[\\p{L}]+", "gu");
  expect(letters()).toEqual(/[\p{L}]+/gu);
  expect(letters()).toBe(letters());
  expect(onceExpression("(", "u")).toThrow(SyntaxError);
});
