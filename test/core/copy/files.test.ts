// The lines about files that an answer could not use.
import { expect, it } from "vitest";
import { fileNotices } from "../../../src/core/copy/files.ts";
import { MESSAGE_CODE_POINTS } from "../../../src/core/limits.ts";
import { codePoints } from "../../../src/core/markdown/code-points.ts";

const none = { skipped: [], unseen: [], unread: [] };

it("names ten files with the longest names in one message, and still says what to do", () => {
  const unread = Array.from({ length: 10 }, (_, n) => `${n}${"😀".repeat(500)}.txt`);
  const [line = ""] = fileNotices({ ...none, unread });
  expect(codePoints(line)).toBeLessThan(MESSAGE_CODE_POINTS);
  expect(line).toMatch(/^-# ⚠️ I could not read `0(😀)+`, .*`9(😀)+`\. Send them again with `\/ask-long`\.$/u);
});

it("shows a name of usual length in full", () => {
  const name = `${"n".repeat(96)}.txt`;
  expect(fileNotices({ ...none, skipped: [name] })[0]).toContain(`\`${name}\``);
});
