// What a model reads for each kind of problem that zod finds.
import { expect, it } from "vitest";
import {
  array,
  bigint,
  discriminatedUnion,
  email,
  int,
  iso,
  literal,
  number,
  object,
  enum as oneOf,
  record,
  set,
  strictObject,
  string,
  union,
  type ZodType,
} from "zod";
import { issueText } from "../../../src/toolkit/define/issue-text.ts";

const kinds = discriminatedUnion("kind", [object({ kind: literal("a") }), object({ kind: literal("b") })]);

it.each<[schema: ZodType, value: unknown, text: string]>([
  [string(), 5, "expected string"],
  [number(), "5", "expected number"],
  [int(), 1.5, "expected int"],
  [oneOf(["a", "b"]), "c", 'expected "a" or "b"'],
  [literal("q"), 1, 'expected "q"'],
  [literal([1n, 2]), 3, "expected 1 or 2"],
  [string().min(3), "x", "expected at least 3 characters"],
  [string().max(1), "abc", "expected at most 1 characters"],
  [string().length(2), "a", "expected exactly 2 characters"],
  [array(string()).min(2), [], "expected at least 2 items"],
  [set(string()).max(1), new Set(["a", "b"]), "expected at most 1 items"],
  [number().min(3), 2, "expected at least 3"],
  [number().gt(3), 3, "expected more than 3"],
  [number().lt(3), 3, "expected less than 3"],
  [bigint().max(5n), 6n, "expected at most 5"],
  [number().multipleOf(5), 3, "expected a multiple of 5"],
  [string().regex(/^a/), "b", "expected a string that matches /^a/"],
  [string().startsWith("a"), "b", 'expected a string that starts with "a"'],
  [string().endsWith("a"), "b", 'expected a string that ends with "a"'],
  [string().includes("a"), "b", 'expected a string that includes "a"'],
  [email(), "b", "expected email"],
  [iso.datetime(), "b", "expected datetime"],
  [strictObject({}), { b: 1, c: 2 }, 'there is no "b", "c"'],
  [kinds, { kind: "z" }, 'expected "a" or "b"'],
  [union([string(), number()]), true, "it matches none of the allowed forms"],
  [record(string().max(1), number()), { abc: 1 }, "it is not valid"],
  [string().refine(() => false), "x", "it is not valid"],
  [string().refine(() => false, "Say it with flowers."), "x", "Say it with flowers."],
])("says what would be accepted: %#, %s", (schema, value, text) => {
  const { error } = schema.safeParse(value, { error: issueText });
  expect(error?.issues.map(({ message }) => message)).toEqual([text]);
});
