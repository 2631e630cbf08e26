// What a log line says about something that was thrown: enough to find the place.
import { expect, it } from "vitest";
import { describeError } from "../../src/core/describe-error.ts";

it("an error is described by its message and the place that threw it, or by its message alone if the place is unknown", () => {
  const error = new Error("a bug");
  expect(describeError(error)).toMatch(/^Error: a bug\n\s+at .*describe-error\.test\.ts/);
  expect(describeError(Object.assign(new Error("a bug"), { stack: undefined }))).toBe("a bug");
});

it("anything else that was thrown is described as text", () => {
  expect([describeError("no room"), describeError(undefined)]).toEqual(["no room", "undefined"]);
});
