// Who may use a model that is reserved for some servers.
import { expect, it } from "vitest";
import { isModelFor } from "../../../src/core/access/model-choice.ts";

it.each([
  [undefined, "1", true],
  [undefined, null, true],
  [["1", "2"], "2", true],
  [["1", "2"], "3", false],
  [["1", "2"], null, false],
  [[], "1", false],
])("a model for the servers %j may be used in server %j: %s", (servers, guildId, isFor) => {
  expect(isModelFor(servers ? { onlyServers: servers } : {}, guildId)).toBe(isFor);
});
