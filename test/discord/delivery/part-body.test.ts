// A message's body once Discord has refused it with its files.
import { expect, it } from "vitest";
import { buildPlainBody } from "../../../src/discord/delivery/part-body.ts";

const part = { endsAt: 0, buttons: [], file: null } as const;
const made = (name: string) => ({ name, type: "text/plain", data: new Uint8Array() });

it("names the files that it lacks, and they take at most half of it", () => {
  const files = Array.from({ length: 10 }, (_, index) => made(`${index}${"f".repeat(300)}`));
  const { content } = buildPlainBody({ ...part, content: "a".repeat(3000), files });
  expect(content).toHaveLength(1900);
  expect(content?.lastIndexOf("a\n")).toBeGreaterThan(900);
});

it("has only its words where it had no files", () => {
  expect(buildPlainBody({ ...part, content: "a" })).toEqual({ content: "a", components: [] });
});
