// A reply whose first message exists when Discord forbids another one, because somebody took away the bot's right to speak or locked the
// thread. The bot can still edit its own message, so the rest is attached to the last one as a file.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { delivery } from "../../support/pump-harness.ts";

const words = (length: number) => "word ".repeat(length / 5).trim();

it.each([
  ["50013", 50_013],
  ["160005", 160_005],
])("has the rest as a file after a %s, whether that comes in midstream or at the end", async (_, code) => {
  for (const isGrowing of [true, false]) {
    const reply = await delivery({}, [], { unasked: true });
    const text = words(9000);
    reply.show("word");
    await reply.clock.advance(1200);
    reply.discord.failNext(
      99,
      Response.json({ code, message: "No" }, { status: 403 }),
      ({ method }) => method === "POST",
    );
    if (isGrowing) reply.show(words(6000));
    await reply.clock.advance(20_000);
    expect(await reply.finish(text)).toEqual({ ok: true });
    const shown = reply.discord.messages(PLACES.general, PEOPLE.theo).at(-1);
    expect(shown?.attachments.map((file) => file.text)).toEqual([text]);
    expect([reply.gone(), shown?.components]).toEqual([0, []]);
    expect(reply.requests().filter((line) => line.includes(" POST "))).toHaveLength(2);
  }
});

it("says why the file is missing if the bot may not attach one either", async () => {
  const reply = await delivery({}, [], { unasked: true });
  reply.show("word");
  await reply.clock.advance(1200);
  reply.network((method, hasFiles) => (method === "POST" || hasFiles ? "refuse" : null));
  expect(await reply.finish(words(9000))).toEqual({ ok: true });
  expect(reply.reads().at(-1)).toMatch(/did not accept `answer\.md`\. Ask a moderator/);
  expect(reply.gone()).toBe(0);
});

it.each([
  ["is gone", 10_003],
  ["is closed to us", 50_001],
])("ends at once if the channel itself %s, so that no model continues for no one", async (_, code) => {
  const reply = await delivery({}, [], { unasked: true });
  reply.show("word");
  await reply.clock.advance(1200);
  reply.discord.failNext(1, Response.json({ code, message: "No" }, { status: 404 }), ({ method }) => method === "POST");
  reply.show(words(6000));
  await reply.clock.advance(20_000);
  expect(reply.gone()).toBe(1);
});

it("ends if the existing message can't be edited either", async () => {
  const reply = await delivery({}, [], { unasked: true });
  reply.show("word");
  await reply.clock.advance(1200);
  reply.network(() => "refuse");
  expect(await reply.finish(words(9000))).toEqual({ ok: false, reason: "no_access" });
  expect(reply.gone()).toBe(1);
});
