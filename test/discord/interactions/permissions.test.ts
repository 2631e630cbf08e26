// What a set of permissions allows.
import { expect, it } from "vitest";
import { mayAnswerInThreads } from "../../../src/discord/interactions/permissions.ts";

const [ADMINISTRATOR, CREATE_PUBLIC_THREADS, SEND_IN_THREADS] = [1n << 3n, 1n << 35n, 1n << 38n];

it.each([
  ["both", CREATE_PUBLIC_THREADS | SEND_IN_THREADS, true],
  ["only creating", CREATE_PUBLIC_THREADS, false],
  ["only sending", SEND_IN_THREADS, false],
  ["neither", 0n, false],
  ["Administrator alone", ADMINISTRATOR, true],
])("threads need the permissions to create them and to send there: %s", (_, set, may) => {
  expect(mayAnswerInThreads(String(set))).toBe(may);
});

it("threads are open where the permissions are not known", () => {
  expect(mayAnswerInThreads(undefined)).toBe(true);
});
