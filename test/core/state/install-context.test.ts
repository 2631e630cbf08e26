// Where a request comes from: whether it is outside a server, and whether the bot is a member there.
import { describe, expect, it } from "vitest";
import { type InstallContext, isBotMember, isOutsideServer } from "../../../src/core/state/install-context.ts";

describe("a request", () => {
  it("is outside a server if Discord names none, and otherwise inside one", () => {
    expect([isOutsideServer({ guildId: null }), isOutsideServer({ guildId: "7" })]).toEqual([true, false]);
  });
});

describe("an install context", () => {
  it.each<[context: InstallContext, isMember: boolean]>([
    [{ kind: "server", isMember: true }, true],
    [{ kind: "server", isMember: false }, false],
    [{ kind: "own_dm" }, true],
    [{ kind: "private_channel" }, false],
  ])("%j: the bot's token opens the channel: %s", (context, isMember) => {
    expect(isBotMember(context)).toBe(isMember);
  });
});
