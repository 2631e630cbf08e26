// A message's body after Discord refused it with its files.
import { expect, it } from "vitest";
import { filesRefused } from "../../../src/core/copy/files.ts";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import { buildPlainBody } from "../../../src/discord/delivery/part-body.ts";

const part = { endsAt: 0, buttons: [], file: null } as const;

it("names the text that was to be its file, and stays within the length of a message", () => {
  const { content } = buildPlainBody({ ...part, content: "😀".repeat(2000), file: "text", fileName: "answer.md" }, "1");
  expect(codePoints(content ?? "")).toBe(2000);
  expect(content).toContain(filesRefused(["answer.md"]));
});

it("has only its words if it had no files", () => {
  expect(buildPlainBody({ ...part, content: "a" }, "1")).toEqual({ content: "a", components: [] });
  const full = "😀".repeat(2000);
  expect(buildPlainBody({ ...part, content: full }, "1")).toEqual({ content: full, components: [] });
});

it("has no content if its words are unknown", () => {
  expect(buildPlainBody({ ...part, content: null }, "1")).toEqual({ components: [] });
});
