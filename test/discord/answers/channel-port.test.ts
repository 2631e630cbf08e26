// When the Worker asks a channel's object again because its life ended during the call, and when it does not; and an object that hangs.
import { describe, expect, it } from "vitest";
import { accessText } from "../../../src/core/copy/access.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import { type ChannelPort, reach } from "../../../src/discord/answers/channel-port.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createTestClock } from "../../support/clock.ts";
import { NOW, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";

/** Asks an object that always fails in this way. Returns how often it was asked, the answer, and how many lines were logged. */
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
    botId: "900",
    origin: "https://parley.example",
    connectsServers: false,
    mcpAdd: "owner" as const,
    after: () => () => {},
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
    expect(await asked(new Error("the object was reset"))).toEqual({ answer: undefined, tries: 3, logged: 3 });
  });

  it.each(["bare words", null, { overloaded: false }])("is asked just as often if it throws %j", async (thrown) => {
    expect(await asked(thrown)).toEqual({ answer: undefined, tries: 3, logged: 3 });
  });

  it("is not asked again at once if Cloudflare says that it is overloaded", async () => {
    const overloaded = Object.assign(new Error("too many requests"), { overloaded: true, retryable: true });
    expect(await asked(overloaded)).toEqual({ answer: undefined, tries: 1, logged: 1 });
  });
});

describe("on the free plan, once the day's allowance is used up", () => {
  const error = new Error("Exceeded allowed rows written in Durable Objects free tier.");
  const content = accessText({ reason: "allowance_used_up" });
  const told = { type: 4, data: { content, flags: 64, allowed_mentions: { parse: [] } } };
  const by = { as: PEOPLE.mira, channel: PLACES.general } as const;
  const chat = { ...by, kind: "command", name: "chat", options: { message: "hi" } } as const;

  it.each([
    ["the channel's object", { receipts: [error] }],
    ["the scope", { scope: openScopes({ copy: () => Promise.reject(error) }) }],
  ])("%s is asked once, and people read when the allowance returns", async (_, parts) => {
    const world = scene(parts);
    expect(await world.answered(chat)).toEqual(told);
    expect(world.errors).toHaveLength(1);
  });

  it("another command says the same, and a person who types gets no completions", async () => {
    const world = scene({ stop: error, personas: error });
    expect(await world.answered({ ...by, kind: "command", name: "stop" })).toEqual(told);
    const typing = { ...chat, kind: "autocomplete", options: { persona: "" }, focused: "persona" } as const;
    expect(await world.answered(typing)).toEqual({ type: 8, data: { choices: [] } });
  });
});

describe("an object that hangs", () => {
  const hangs = () => new Promise<never>(() => {});
  const by = { as: PEOPLE.mira, channel: PLACES.general } as const;
  const silently = { type: 4, data: { content: UNAVAILABLE, flags: 64, allowed_mentions: { parse: [] } } };

  it.each([
    ["a question", { ...by, kind: "command", name: "chat", options: { message: "hi" } }, silently],
    ["a command that asks a scope", { ...by, kind: "command", name: "bot", subcommand: "usage" }, silently],
    [
      "a person who types",
      { ...by, kind: "autocomplete", name: "tools", subcommand: "connect", options: { server: "" }, focused: "server" },
      { type: 8, data: { choices: [] } },
    ],
  ] as const)("leaves %s an answer within Discord's three seconds", async (_, act, answer) => {
    const clock = createTestClock(NOW);
    const world = scene({
      receipts: [hangs()],
      scope: openScopes({ usage: hangs, connection: hangs }),
      variables: { ...VARIABLES, TOKEN_ENCRYPTION_KEY: "k".repeat(32) },
      now: clock.now,
      after: clock.timers.after,
    });
    const answered = world.answered(act);
    while (clock.pending() === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    await clock.advance(2700);
    expect([await answered, clock.pending()]).toEqual([answer, 0]);
    expect(world.errors).toEqual([{ line: "an interaction was not answered in time", kind: expect.any(String) }]);
  });
});
