// Mentions on both sides: a question's are read as names, and the names of an answer are written as mentions that ping no one.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira, juno } = PEOPLE;
const MODERATORS = "1180000000000000031";

describe("what a question mentions", () => {
  it("is read by name: people, channels, roles and emoji; unknown ones stay as they are", async () => {
    const place = await createMessageHarness();
    place.write(theo, `${BOT} ask <@${mira}> in <#${PLACES.staff}> and <#1> with <@&${MODERATORS}> <:wave:1234> <@7>`);
    await place.rest();
    expect(place.question()).toBe(`[Theo · u1]\nask @Mira in #staff and <#1> with @Moderators :wave: <@7>`);
    const stored = place.world.life?.channel.ports.store.messagesBefore("", 9, null)[0];
    expect(stored?.text).toContain(`ask <@${mira}> in <#${PLACES.staff}>`);
  });

  it("names no channel of another server, nor one in a direct message", async () => {
    for (const [channelId, where] of [
      [PLACES.general, PLACES.lobby],
      [PLACES.dmOfTheo, PLACES.general],
    ] as const) {
      const place = await createMessageHarness({ channelId });
      place.write(theo, `${BOT} what is <#${where}>?`);
      await place.rest();
      expect(place.question()).toBe(`[Theo · u1]\nwhat is <#${where}>?`);
    }
  });

  it("costs a request only for a channel's name", async () => {
    const place = await createMessageHarness();
    const gets = async (words: string) => {
      place.requests();
      place.write(theo, `${BOT} ${words}`);
      await place.rest();
      return place
        .requests()
        .filter((line) => line.includes("GET") && !line.includes("?limit="))
        .map((line) => line.split(" ")[2]);
    };
    expect(await gets(`<@${mira}>?`)).toEqual(["/guilds/guild", "/channels/general"]);
    expect(await gets(`<@${juno}> <:a:1>?`)).toEqual([]);
    expect(await gets(`<#${PLACES.staff}> <#${PLACES.general}>?`)).toEqual(["/channels/staff"]);
  });
});

describe("a name in an answer", () => {
  it("of one known person is a mention in Discord, and stays a name in the conversation", async () => {
    const place = createAppHarness();
    await place.ask(mira, "hi");
    await place.pass(1000);
    place.channel.answer(says("Hello @Mira and @Theo."));
    await place.pass(5000);
    await place.ask(theo, "who?");
    await place.pass(1000);
    place.channel.answer(says("@Mira, `@Mira` and @Theo"));
    await place.pass(5000);
    expect(place.reads()).toEqual([`Hello <@${mira}> and @Theo.`, `<@${mira}>, \`@Mira\` and <@${theo}>`]);
    expect(place.discord.pinged()).toEqual([]);
    expect(place.channel.store.messagesBefore("", 9, null).at(-1)?.text).toBe("@Mira, `@Mira` and @Theo");
  });

  it("stays a name if the mention would not fit into its message", async () => {
    const place = createAppHarness();
    await place.ask(mira, "hi");
    await place.pass(1000);
    const full = `${"word ".repeat(397)}@Mira.`;
    place.channel.answer(says(full));
    await place.pass(5000);
    expect([full.length, place.reads()]).toEqual([1991, [full]]);
  });

  it("is recognized as the same words when a later life reads back what Discord shows", async () => {
    const place = createAppHarness();
    await place.ask(mira, "hi");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Dear @Mira, half of it" }]);
    await place.pass(5000);
    expect(place.reads()[0]).toContain(`Dear <@${mira}>, half of it`);
    place.channel.crash();
    const stop = {
      interactionId: "9",
      kind: "stop",
      turnId: null,
      userId: mira,
      userName: "Mira",
      moderator: false,
    } as const;
    place.channel.stop(stop);
    await place.pass(20_000);
    expect(place.reads()).toEqual([`Dear <@${mira}>, half of it\n\n-# Stopped by <@${mira}>.`]);
    expect(place.channel.store.messagesBefore("", 9, null).at(-1)?.text).toBe("Dear @Mira, half of it");
  });

  it("in the shown question stays a name, so that a later life recognizes the line", async () => {
    const place = createAppHarness({ settings: {} });
    await place.ask(mira, "hi");
    await place.pass(1000);
    place.channel.answer(says("Hello."));
    await place.pass(5000);
    await place.ask(theo, "is @Mira here?");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "@Mira, are you" }]);
    await place.pass(5000);
    place.channel.crash();
    place.channel.stop({
      interactionId: "9",
      kind: "stop",
      turnId: null,
      userId: theo,
      userName: "Theo",
      moderator: false,
    });
    await place.pass(20_000);
    expect(place.reads()[1]).toBe(`> is \\@Mira here?\n<@${mira}>, are you\n\n-# Stopped by <@${theo}>.`);
    expect(place.channel.store.messagesBefore("", 9, null).at(-1)?.text).toBe("@Mira, are you");
  });
});
