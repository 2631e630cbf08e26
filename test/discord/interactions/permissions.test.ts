// What a set of permissions allows.
import { expect, it } from "vitest";
import { mayAnswerInThreads, permissionsIn, WITHOUT_THREADS } from "../../../src/discord/interactions/permissions.ts";

const [ADD_REACTIONS, SEND_MESSAGES, SEND_POLLS] = [1n << 6n, 1n << 11n, 1n << 49n];
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

it.each([
  ["writes in the channel", SEND_MESSAGES, false, true],
  ["writes only in threads, here in the channel", SEND_IN_THREADS, false, false],
  ["writes only in threads, here in one", SEND_IN_THREADS, true, true],
  ["writes only outside of threads, here in one", SEND_MESSAGES, true, false],
  ["is an administrator", ADMINISTRATOR, false, true],
])("only a person who may write here may have a poll posted: one who %s", (_, set, isThread, may) => {
  const permissions = permissionsIn(String(set | SEND_POLLS | ADD_REACTIONS), isThread);
  expect([permissions.includes("SEND_POLLS"), permissions.includes("ADD_REACTIONS")]).toEqual([may, true]);
});

it("threads are open if the permissions are unknown", () => {
  expect(mayAnswerInThreads(undefined)).toBe(true);
});

it("no one opens a thread within a thread, or outside servers, where Discord has none", () => {
  const opens = (set: bigint, isThread: boolean) =>
    permissionsIn(String(set), isThread).includes("CREATE_PUBLIC_THREADS");
  const sets = [CREATE_PUBLIC_THREADS | SEND_MESSAGES | SEND_IN_THREADS, ADMINISTRATOR];
  expect(sets.map((set) => [opens(set, false), opens(set, true)])).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(WITHOUT_THREADS).toEqual(permissionsIn(String(ADMINISTRATOR), true));
});
