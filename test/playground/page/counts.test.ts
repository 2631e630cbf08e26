// The panel's counts: a person who asks for the first time sees each of them at one.
import { expect, it } from "vitest";
import { counted, howOften, newestRequests } from "../../../src/playground/page/panel/counts.ts";

it("have a singular", () => {
  expect([0, 1, 2].map((count) => counted(count, "message"))).toEqual(["0 messages", "1 message", "2 messages"]);
  expect([1, 2].map(howOften)).toEqual(["once", "2 times"]);
  expect([1, 2].map(newestRequests)).toEqual(["The newest request", "The newest 2 requests"]);
});
