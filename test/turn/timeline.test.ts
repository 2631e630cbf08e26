// A tool call as an entry of a turn's timeline.
import { expect, it } from "vitest";
import { describeCall } from "../../src/turn/timeline.ts";

const entry = (args: string, warnings?: string[]) =>
  describeCall({ id: "c", name: "look", arguments: args }, { ok: true, status: "ok", ...(warnings && { warnings }) });

it.each([
  [59, false],
  [60, false],
  [61, true],
])("%i characters of arguments are cut: %s", (chars, isCut) => {
  const args = JSON.stringify({ a: "x".repeat(chars - '{"a":""}'.length) });
  expect(entry(args)).toBe(`look ${args.slice(0, 60)}${isCut ? "…" : ""}: ok`);
});

it.each([
  [119, false],
  [120, false],
  [121, true],
])("%i characters of notes are cut: %s", (chars, isCut) => {
  expect(entry("{}", ["y".repeat(chars)])).toBe(`look {}: ok; ${"y".repeat(Math.min(120, chars))}${isCut ? "…" : ""}`);
});

it("blank arguments of a model count as none, and arguments that it encoded twice are also shown without their secrets", () => {
  expect(["", " \n", "null"].map((args) => entry(args))).toEqual(Array(3).fill("look {}: ok"));
  const args = { path: "a", api_key: "abc" };
  const shown = 'look {"path":"a","api_key":"[redacted]"}: ok';
  expect(entry(JSON.stringify(args))).toBe(shown);
  expect(entry(JSON.stringify(JSON.stringify(args)))).toBe(shown);
  expect(entry('"abc"')).toBe("look [not JSON]: ok");
});
