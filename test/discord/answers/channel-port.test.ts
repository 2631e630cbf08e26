// How the Worker asks a channel's object again whose life ended under the question, and when it does not.
import { describe, expect, it } from "vitest";
import { type ChannelPort, reach } from "../../../src/discord/answers/channel-port.ts";
import { openScopes } from "../../support/scopes.ts";

/** Asks an object that always fails like this; how often, and what was answered. */
async function asked(error: unknown) {
  let tries = 0;
  const logged: string[] = [];
  const ports = {
    channel: () => ({}) as ChannelPort,
    now: () => 0,
    logError: (line: string) => logged.push(line),
    models: [],
    gateway: async () => "off" as const,
    modelHosts: [],
    hasBotToken: false,
    origin: "https://parley.example",
    connectsServers: false,
    mcpAdd: "owner" as const,
    access: {
      isOwner: () => false,
      knowsOwners: false,
      letsIn: () => true,
      scope: openScopes(),
      forget: () => {},
      copy: null,
    },
  };
  const answer = await reach({ channelId: "1", broughtBy: null }, ports, "status", () => {
    tries++;
    return Promise.reject(error);
  });
  return { answer, tries, logged: logged.length };
}

describe("an object that can't be reached", () => {
  it("is asked three times, because its life may just have ended", async () => {
    expect(await asked(new Error("the object was reset"))).toEqual({ answer: null, tries: 3, logged: 3 });
  });

  it.each(["bare words", null, { overloaded: false }])("is asked as often when it throws %j", async (thrown) => {
    expect(await asked(thrown)).toEqual({ answer: null, tries: 3, logged: 3 });
  });

  it("is not asked again at once when Cloudflare says that it is overloaded", async () => {
    const overloaded = Object.assign(new Error("too many requests"), { overloaded: true, retryable: true });
    expect(await asked(overloaded)).toEqual({ answer: null, tries: 1, logged: 1 });
  });
});
