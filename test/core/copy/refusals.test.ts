// What people read if a list keeps them out.
import { expect, it } from "vitest";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { refusalByLists } from "../../../src/core/state/access-lists.ts";

const lists = (deny_users: string[]) => ({ allow_roles: [], allow_users: [], deny_roles: [], deny_users });

it.each([
  ["server", [lists(["7"]), lists(["8"])]],
  ["channel", [lists(["8"]), lists(["7"])]],
])("a denial by the %s's settings includes that level among those that it may come from", (level, scopes) => {
  const refusal = refusalByLists(scopes, "7", []);
  expect(refusal && refusalText(refusal)).toContain(level);
});
