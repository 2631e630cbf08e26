// Lines of a text that arrives in pieces.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLines } from "../../../src/core/transcript/lines.ts";

const read = (pieces: readonly string[]): string[] => {
  const lines = createLines();
  return [...pieces.flatMap((piece) => lines.push(piece, false)), ...lines.push("", true)];
};

describe("the lines of a text", () => {
  it("are the same however it is cut into pieces", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "\r", "\n"), maxLength: 6 });
    const isSame = (pieces: string[]) => void expect(read(pieces)).toEqual(read([pieces.join("")]));
    fc.assert(fc.property(fc.array(piece), isSame));
  });

  it("come as soon as they end, even with a lone carriage return; a last line without an end comes at the end", () => {
    const lines = createLines();
    expect(lines.push("one\r", false)).toEqual(["one"]);
    expect(lines.push("\ntwo\n\nth", false)).toEqual(["two", ""]);
    expect(lines.openChars()).toBe(2);
    expect(lines.push("ree", true)).toEqual(["three"]);
  });
});
