// How many files of /privacy export a scope makes at the same time: each takes megabytes, and anybody may ask for a hundred.
import { expect, it } from "vitest";
import { createScopeHarness } from "../../support/scope-harness.ts";

const SERVER = "guild:77";

it("makes one file at a time for a person, two in total, and the next one when these are sent", async () => {
  const h = createScopeHarness(["1"]);
  const ask = (userId: string, token: string) =>
    h.scope(SERVER).person({ op: "export", userId, conversation: "500", reply: { applicationId: "1", token } });
  expect(await ask("10", "a")).toEqual({ op: "exporting" });
  expect(await ask("10", "b")).toEqual({ op: "busy" });
  // Discord may deliver an interaction twice.
  expect(await ask("10", "a")).toEqual({ op: "exporting" });
  expect(await ask("11", "c")).toEqual({ op: "exporting" });
  expect(await ask("12", "d")).toEqual({ op: "busy" });
  await Promise.all(h.detached.splice(0));
  expect(h.exports.map(({ reply }) => reply.token)).toEqual(["a", "c"]);
  expect(await ask("10", "e")).toEqual({ op: "exporting" });
  expect(await ask("12", "d")).toEqual({ op: "exporting" });
  await Promise.all(h.detached.splice(0));
  expect(h.exports.map(({ reply }) => reply.token)).toEqual(["a", "c", "e", "d"]);
});
