// Who may use the bot if the owner has set nothing: everyone on the owner's own machine, and no one elsewhere.
import { expect, it } from "vitest";
import { type AccessVariables, accessRules } from "../../src/config/access.ts";

const UNSET: AccessVariables = {
  ownerIds: null,
  servers: null,
  allowedServers: [],
  visitors: null,
  allowedUsers: [],
};
const DISCORD = "https://discord.com/api/v10";
const LOCAL = "http://127.0.0.1:8788/api/v10";

it.each([
  ["the real Discord, in a turn or for the gateway", DISCORD, null],
  ["the real Discord, at the Worker's address", DISCORD, "parley.juno.workers.dev"],
  ["the real Discord, on the owner's machine", DISCORD, "127.0.0.1:8787"],
  ["a local Discord, through a tunnel", LOCAL, "abc.trycloudflare.com"],
])("%s: only servers that an owner has claimed, and owners", (_, discordUrl, host) => {
  expect(accessRules(UNSET, discordUrl, host)).toEqual({ ...UNSET, servers: "claimed", visitors: "owners" });
});

it.each([
  ["in a turn or for the gateway", null],
  ["asked at this machine", "127.0.0.1:8787"],
  ["asked at this machine by its name", "localhost:8787"],
])("a local Discord, %s: everyone", (_, host) => {
  expect(accessRules(UNSET, LOCAL, host)).toEqual({ ...UNSET, servers: "open", visitors: "anyone" });
});

it("what the owner has set applies everywhere", () => {
  const set = { ...UNSET, servers: "listed", visitors: "listed" } as const;
  expect([accessRules(set, LOCAL, null), accessRules(set, DISCORD, null)]).toEqual([set, set]);
});
