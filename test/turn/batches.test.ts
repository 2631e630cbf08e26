// Which calls of one answer run together.
import { expect, it } from "vitest";
import { splitIntoBatches } from "../../src/turn/batches.ts";

it.each([
  ["", []],
  ["f", ["f"]],
  ["ff", ["ff"]],
  ["ffff", ["ffff"]],
  ["fffff", ["ffff", "f"]],
  ["ss", ["s", "s"]],
  ["fsf", ["f", "s", "f"]],
  ["sff", ["s", "ff"]],
  ["ffsff", ["ff", "s", "ff"]],
])("free (f) and single (s) calls %j run in the batches %j", (calls, batches) => {
  expect(splitIntoBatches([...calls], (call) => call === "f").map((batch) => batch.join(""))).toEqual(batches);
});
