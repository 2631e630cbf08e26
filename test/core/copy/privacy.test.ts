// What a wish to be left out is answered with.
import { expect, it } from "vitest";
import { leftOutText } from "../../../src/core/copy/privacy.ts";

it.each([
  ["server", "in this server"],
  ["outside", "outside servers"],
] as const)("the answer to /privacy opt-out says where it holds: %s", (reach, where) => {
  for (const isLeftOut of [true, false]) expect(leftOutText({ op: "left_out", isLeftOut }, reach)).toContain(where);
  expect(leftOutText({ op: "full", limit: 9 }, reach)).toContain(`${where} is full (9)`);
});
