// Answers of Discord's REST API to what the gateway's object asks.
import { describe, expect, it } from "vitest";
import {
  gatewayAddress,
  readContentSwitch,
  readGatewayBot,
  readMessages,
  readOwnRole,
} from "../../../src/discord/gateway/rest-answers.ts";

describe("the gateway's address", () => {
  it.each(["wss://gateway.discord.gg", "wss://gateway.discord.gg/"])(
    "gets the version and encoding if it is %s",
    (url) => {
      expect(gatewayAddress(url)).toBe("wss://gateway.discord.gg/?v=10&encoding=json");
    },
  );

  it("comes with what is left of today's sessions", () => {
    const json = {
      url: "wss://gateway.discord.gg",
      shards: 1,
      session_start_limit: { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
    };
    expect(readGatewayBot(json)).toEqual({ url: json.url, remaining: 999, resetAfterMs: 14_400_000 });
  });

  it.each([null, {}, { url: "https://x", session_start_limit: { remaining: 1, reset_after: 1 } }, { url: "wss://x" }])(
    "is not found in %j",
    (json) => {
      expect(readGatewayBot(json)).toBeNull();
    },
  );
});

it("the switch for the text of all messages is either of two flags of the application", () => {
  const flags = [{ flags: 1 << 18 }, { flags: 1 << 19 }, { flags: 1 << 17 }, { flags: 0 }, {}, null];
  expect(flags.map(readContentSwitch)).toEqual([true, true, false, false, false, false]);
});

describe("our managed role", () => {
  const roles = [{ id: "700" }, { id: "909", tags: { bot_id: "899" } }, { id: "910", tags: { bot_id: "900" } }];
  it("is the one whose tags have our id", () => {
    expect(readOwnRole(roles, "900")).toEqual({ roleId: "910" });
  });

  it("may be missing, which is not the same as no answer", () => {
    expect(readOwnRole(roles, "898")).toEqual({ roleId: null });
    expect(readOwnRole({ message: "Missing Access" }, "900")).toBeNull();
  });
});

describe("a page of messages", () => {
  const one = (id: string) => ({
    id,
    channel_id: "600",
    type: 0,
    content: "hi",
    author: { id: "50", username: "mira" },
  });
  it("belongs to the place for which it was requested, and is the last one if it isn't full", () => {
    const place = { kind: "thread", guildId: "700" } as const;
    const page = readMessages([one("2"), { id: 5 }, one("1")], place, 4);
    expect(page?.messages.map(({ id, place: where }) => [id, where])).toEqual([
      ["2", place],
      ["1", place],
    ]);
    expect(page?.isLast).toBe(true);
    expect(readMessages([one("2"), one("1")], place, 2)?.isLast).toBe(false);
    expect(readMessages({ code: 50_001 }, place, 2)).toBeNull();
  });
});
