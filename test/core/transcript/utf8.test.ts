// Sizes in UTF-8, checked against the platform's own encoder.
import fc from "fast-check";
import { expect, it } from "vitest";
import { byteLength, cutToBytes, isLongerThan } from "../../../src/core/transcript/utf8.ts";

const utf8 = new TextEncoder();

it("a text has as many bytes as the platform's encoder produces, and a cut one never ends within a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, bytes) => {
      const size = utf8.encode(text).length;
      expect([byteLength(text), isLongerThan(text, bytes)]).toEqual([size, size > bytes]);
      const room = new Uint8Array(bytes);
      expect(cutToBytes(text, bytes)).toBe(text.slice(0, utf8.encodeInto(text, room).read));
    }),
  );
  const atTheBound = [isLongerThan("abc", 3), isLongerThan("abc", 2), isLongerThan("é", 2), isLongerThan("é", 1)];
  expect(atTheBound).toEqual([false, true, false, true]);
  expect([byteLength("\ud83d"), cutToBytes("a😀", 4), cutToBytes("a😀", 5)]).toEqual([3, "a", "a😀"]);
});

it.each(["\u0000", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"])(
  "a character's bytes change where the lengths of the encoding do: %j",
  (character) => {
    expect(byteLength(character)).toBe(utf8.encode(character).length);
  },
);
