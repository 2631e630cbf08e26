// The files of a reply: how many it may have, their names and types, and their bytes as Base64.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FileNote, hasRoomFor, readFileName, readFileType } from "../../../src/core/state/reply-files.ts";
import { base64Bytes, decodeBase64 } from "../../../src/core/transcript/base64.ts";

const MIB = 1_048_576;
const file = (bytes: number, more: Partial<FileNote> = {}): FileNote => ({
  name: "a.png",
  type: "image/png",
  bytes,
  ...more,
});
const some = (count: number) => Array.from({ length: count }, () => file(1));

describe("a reply", () => {
  it.each<[string, number, FileNote[], boolean]>([
    ["its first file", 10 * MIB, [], true],
    ["a file that is too large", 10 * MIB + 1, [], false],
    ["a ninth file", 1, some(8), true],
    ["a tenth file", 1, some(9), false],
    ["a file that just fits with the others", 4 * MIB, [file(6 * MIB)], true],
    ["a file that is one byte too much with the others", 4 * MIB + 1, [file(6 * MIB)], false],
    ["a file next to one that was left out", 10 * MIB, [file(20 * MIB, { leftOut: true })], true],
  ])("decides about %s", (_what, bytes, beside, hasRoom) => {
    expect(hasRoomFor(bytes, beside)).toBe(hasRoom);
  });
});

describe("a file's name", () => {
  it.each([
    ["report.pdf", "application/pdf", "report.pdf"],
    ["picture-1", "image/jpeg", "picture-1.jpg"],
    ["sound", "audio/mpeg", "sound.mp3"],
    ["", "audio/x-wav", "file.wav"],
    ["../../etc/passwd", "text/plain", "etc_passwd.txt"],
    [".env", "application/octet-stream", "env.bin"],
    ["a b\u202Egnp.exe", "image/png", "a_b_gnp.exe"],
    ["日本.png", "image/png", "png.png"],
    ["x", "application/vnd.oasis.opendocument.text", "x.bin"],
  ])("%j of type %s becomes %s", (name, type, readable) => {
    expect(readFileName(name, type)).toBe(readable);
  });

  it("has at most 100 characters, whatever it was, and keeps its extension", () => {
    const [kept, ended] = [
      readFileName(`${"a".repeat(300)}.png`, "image/png"),
      readFileName("a".repeat(300), "image/png"),
    ];
    expect([kept.length, kept.endsWith("a.png"), ended.length <= 100, ended.endsWith("a.png")]).toEqual([
      100,
      true,
      true,
      true,
    ]);
  });
});

it.each([
  ["IMAGE/PNG; charset=x", "image/png"],
  ["image/svg+xml", "image/svg+xml"],
  [`image/${"x".repeat(94)}`, `image/${"x".repeat(94)}`],
  [`image/${"x".repeat(95)}`, "application/octet-stream"],
  ["png", "application/octet-stream"],
  ['image/png"><x', "application/octet-stream"],
  [undefined, "application/octet-stream"],
])("the type %j is read as %s", (type, known) => {
  expect(readFileType(type)).toBe(known);
});

describe("Base64", () => {
  it("restores every sequence of bytes, with its padding or without", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        const bare = text.replace(/=+$/, "");
        expect([decodeBase64(text), decodeBase64(bare)].map((one) => Buffer.from(one ?? []).toString("hex"))).toEqual(
          Array(2).fill(Buffer.from(bytes).toString("hex")),
        );
        expect(base64Bytes(text)).toBe(bytes.length);
      }),
    );
  });

  it.each(["A", "A B=", "a-b_", "é===", "<A>=", "AA=A"])("is refused if it is malformed: %j", (text) => {
    expect(decodeBase64(text)).toBeNull();
  });
});
