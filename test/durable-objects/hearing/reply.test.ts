// What a person sees of the answer to their message: reactions, buttons, and what is said in private.
import { describe, expect, it } from "vitest";
import { accessText } from "../../../src/core/copy/access.ts";
import { hiddenQuoteHelp, mentionHelp } from "../../../src/core/copy/mention-help.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { planFaults } from "../../faults/plan.ts";
import { FaultHarness } from "../../support/fault-harness.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, mira, juno } = PEOPLE;
const HOUR_MS = 3_600_000;
const SLOW = { texts: ["Done."] };

const reactions = ({ world }: MessageHarness, id: string) => {
  const message = world.discord.messages(world.channelId, theo).find((one) => one.id === id);
  return (message?.reactions ?? []).map(({ emoji }) => emoji);
};
const wholeDmOf = (place: MessageHarness, as: string) =>
  place.world.discord
    .channels(as)
    .filter(({ type }) => type === 1)
    .flatMap(({ id }) => place.reads(as, id));
/** A private message without the line that says which message it is about. */
const dmOf = (place: MessageHarness, as: string) =>
  wholeDmOf(place, as).map((text) => text.replace(/\n-# This is about your message \S+$/, ""));

describe("a question that must wait", () => {
  it("has the reaction ⏳ until its turn starts", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 5000 }) });
    place.write(theo, `${BOT} one`);
    await place.pass(100);
    const id = place.write(mira, `${BOT} two`);
    await place.pass(2000);
    expect(reactions(place, id)).toEqual(["⏳"]);
    await place.rest();
    expect(reactions(place, id)).toEqual([]);
    expect(place.reads()).toEqual(["Done.", "Done."]);
  });

  it.each(["limited", "shared", "outage"] as const)(
    "gets it and loses it even if Discord says: %s",
    async (weather) => {
      const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 20_000 }) });
      place.write(theo, `${BOT} one`);
      await place.pass(100);
      place.world.discord.brew(weather, 1, ({ path }) => path.includes("/reactions/"));
      const id = place.write(mira, `${BOT} two`);
      await place.pass(8000);
      expect(reactions(place, id)).toEqual(["⏳"]);
      place.world.discord.brew(weather, 1, ({ path }) => path.includes("/reactions/"));
      await place.rest();
      expect(reactions(place, id)).toEqual([]);
    },
  );

  it("has none if it would only flicker", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 100 }) });
    place.write(theo, `${BOT} one`);
    await place.pass(100);
    place.write(mira, `${BOT} two`);
    await place.rest();
    expect(place.requests().filter((line) => line.includes("reactions"))).toEqual([]);
  });

  it("does not get it for ten minutes if the bot may not react, because each refusal counts toward a ban of our address", async () => {
    const place = await createMessageHarness({
      answerTo: () => ({ ...SLOW, firstMs: 25_000 }),
      discord: { botReadsHistory: false },
    });
    const tried = () => place.requests().filter((line) => line.includes("/reactions/"));
    const waits = async (as: string, passMs: number) => {
      place.write(as, `${BOT} hello`);
      await place.pass(passMs);
    };
    await waits(theo, 100);
    for (const as of [mira, juno]) await waits(as, 2000);
    expect(tried()).toEqual(["1.1 PUT /channels/general/messages/N/reactions/⏳/@me → 50013"]);
    // Their turns have started, and there is no reaction to remove.
    await place.pass(600_000);
    expect(tried()).toEqual(["25.4 DELETE /channels/general/messages/N/reactions/⏳/@me → 204"]);
    for (const as of [theo, mira]) await waits(as, 2000);
    expect(tried()).toHaveLength(1);
  });

  it("also loses it in the next life", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 5000 }) });
    place.write(theo, `${BOT} one`);
    await place.pass(100);
    const id = place.write(mira, `${BOT} two`);
    await place.pass(2000);
    place.world.restart();
    await place.rest();
    expect(reactions(place, id)).toEqual([]);
    expect(place.reads()).toEqual(["Done.", "Done."]);
  });
});

describe("a question that its asker replaces", () => {
  it("gets nothing, and the newer one is answered", async () => {
    const place = await createMessageHarness({
      answerTo: ({ messages }) =>
        messages.findLast(({ role }) => role === "user")?.text.endsWith("\nwork")
          ? { calls: [{ name: "slow" }] }
          : SLOW,
    });
    for (const words of ["work", "also", "rather"]) {
      place.write(theo, `${BOT} ${words}`);
      await place.pass(3000);
    }
    await place.click(theo, "Stop");
    await place.rest();
    expect(place.reads(mira)).toEqual([`-# Stopped by <@${theo}>.`, "Done."]);
    expect(place.question()).toBe("[Theo · u1]\nrather");
  });
});

it("a mention without words gets a hint if Discord hides the message that it replies to", async () => {
  for (const readsContent of [false, true]) {
    const place = await createMessageHarness({ readsContent });
    const replyTo = place.write(mira, "the train leaves at noon");
    place.write(theo, BOT, { replyTo });
    await place.rest();
    expect(place.reads()).toEqual([readsContent ? "Hello there." : hiddenQuoteHelp]);
    const answer = await place.chat(mira, "hi");
    await place.pass(HOUR_MS);
    place.write(theo, BOT, { replyTo: answer });
    await place.rest();
    expect(place.reads().at(-1)).toBe(mentionHelp);
  }
});

it("a mention with a sticker alone is a question about it", async () => {
  const place = await createMessageHarness();
  const id = place.write(theo, `${BOT} hello?`);
  await place.rest();
  const [heard] = place.door.heard;
  if (heard?.event.kind !== "asked") throw new Error("nothing was heard");
  const message = { ...heard.event.message, id: String(BigInt(id) + 1n), text: BOT, asides: ["[sticker: Wave]"] };
  await place.world.hear({ ...heard, event: { kind: "asked", message } });
  await place.rest();
  expect([place.question(), place.reads()]).toEqual(["[Theo · u1]\n[sticker: Wave]", ["Hello there.", "Hello there."]]);
});

describe("a refusal", () => {
  const denied = { settings: { deny_users: theo } };
  const text = refusalText({ reason: "denied" });

  it("comes as a direct message once an hour, else as the reaction ⛔", async () => {
    const place = await createMessageHarness(denied);
    const first = place.write(theo, `${BOT} one`);
    const second = place.write(theo, `${BOT} two`);
    await place.rest();
    expect([dmOf(place, theo), reactions(place, first), reactions(place, second)]).toEqual([[text], [], ["⛔"]]);
    await place.pass(HOUR_MS - 60_000);
    const third = place.write(theo, `${BOT} three`);
    await place.rest();
    expect([dmOf(place, theo), reactions(place, third), place.reads()]).toEqual([[text], ["⛔"], []]);
    await place.pass(60_000);
    place.write(theo, `${BOT} four`);
    await place.rest();
    const about = `-# This is about your message https://discord.com/channels/${PLACES.guild}/${PLACES.general}/`;
    expect([dmOf(place, theo), wholeDmOf(place, theo)[0]]).toEqual([[text, text], `${text}\n${about}${first}`]);
  });

  it("comes after a limit or an outage, and once", async () => {
    const place = await createMessageHarness(denied);
    place.world.discord.failNext(1, new Response(null, { status: 503 }), ({ path }) => path === "/users/@me/channels");
    const limited = { message: "You are being rate limited.", retry_after: 40, global: true };
    const isText = ({ body }: { body: unknown }) => JSON.stringify(body ?? "").includes(text);
    place.world.discord.failNext(2, Response.json(limited, { status: 429 }), isText);
    const id = place.write(theo, `${BOT} one`);
    await place.rest();
    expect([dmOf(place, theo), reactions(place, id)]).toEqual([[text], []]);
  });

  it("is the reaction if the person accepts no direct messages", async () => {
    const place = await createMessageHarness({ ...denied, discord: { directMessagesOpen: false } });
    const id = place.write(theo, `${BOT} one`);
    await place.rest();
    expect([dmOf(place, theo), reactions(place, id)]).toEqual([[], ["⛔"]]);
  });

  it("comes once, however often the gateway repeats itself", async () => {
    const place = await createMessageHarness(denied);
    place.write(theo, `${BOT} one`);
    await place.rest();
    place.requests();
    expect(place.door.heard).toHaveLength(1);
    for (const heard of [...place.door.heard, ...place.door.heard]) await place.world.hear(heard);
    await place.rest();
    expect(place.requests()).toEqual([]);
  });

  it("comes while everything is paused, and only to whoever asks", async () => {
    const place = await createMessageHarness({ more: { isPaused: true }, readsContent: true });
    const first = place.write(theo, BOT);
    const second = place.write(theo, `${BOT} two`);
    place.write(mira, "just talking");
    await place.rest();
    expect([dmOf(place, theo), reactions(place, first), reactions(place, second)]).toEqual([
      [accessText({ reason: "paused" })],
      [],
      ["⛔"],
    ]);
    expect([dmOf(place, mira), place.reads(), place.world.requests]).toEqual([[], [], []]);
  });

  it("doesn't make anybody expect words: the bot does not type", async () => {
    const place = await createMessageHarness(denied);
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(place.requests().filter((line) => line.includes("typing"))).toEqual([]);
  });

  it("gives no help to those who may not ask", async () => {
    const place = await createMessageHarness(denied);
    place.write(theo, BOT);
    place.write(mira, BOT);
    await place.rest();
    expect(place.reads()).toEqual([mentionHelp]);
  });
});

it("people are notified privately if their thread's object takes no turn", async () => {
  const place = await createMessageHarness({ settings: { auto_thread: "true" } });
  place.world.threads = () => {
    throw new Error("the thread's object can't be reached");
  };
  place.write(theo, `${BOT} why?`);
  await place.rest();
  expect([dmOf(place, theo), place.reads()]).toEqual([[refusalText({ reason: "unavailable" })], []]);
});

it("people are notified privately if the bot may not write in their thread, and it is logged", async () => {
  const place = await createMessageHarness({ settings: { auto_thread: "true" } });
  const { world } = place;
  const id = place.write(theo, `${BOT} why?`);
  const thread = new FaultHarness(world.scenario, planFaults(), id, world);
  world.threads = () => thread;
  const no = Response.json({ code: 50013, message: "Missing Permissions" }, { status: 403 });
  world.discord.failNext(1, no, ({ method, path }) => method === "POST" && path === `/channels/${id}/messages`);
  await place.rest();
  expect(dmOf(place, theo)).toEqual([refusalText({ reason: "no_access", forMs: 15 * 60_000 })]);
  const line = `a question could not be answered in its channel {"messageId":"${id}"}`;
  expect(thread.logs).toContainEqual({ level: "warn", text: line });
});

describe("a channel where the bot may not write", () => {
  it("is reported to the asker privately once a day, and logged", async () => {
    const place = await createMessageHarness({ discord: { botSends: false } });
    place.write(theo, `${BOT} one`);
    await place.rest();
    const lines = place.world.logs.filter(({ text }) => text.startsWith("a question could not be answered"));
    expect(lines).toHaveLength(1);
    expect(place.requests().filter((line) => line.includes("POST") && line.includes("general/messages"))).toHaveLength(
      1,
    );
    place.write(theo, `${BOT} two`);
    await place.rest();
    expect(place.requests()).toEqual([]);
  });

  it("is reported to the asker in a direct message once a day", async () => {
    const place = await createMessageHarness();
    const away = place.world.discord.addWeather(({ method, path }) =>
      method === "POST" && path === `/channels/${PLACES.general}/messages`
        ? Response.json({ code: 50013, message: "Missing Permissions" }, { status: 403 })
        : null,
    );
    place.write(theo, `${BOT} one`);
    await place.rest();
    place.write(theo, `${BOT} two`);
    await place.rest();
    expect(dmOf(place, theo)).toEqual([refusalText({ reason: "no_access", forMs: 15 * 60_000 })]);
    away();
    await place.pass(15 * 60_000);
    place.write(theo, `${BOT} three`);
    await place.rest();
    expect(place.reads()).toEqual(["Hello there."]);
  });

  it("is also reported to people who wait there, and no question keeps the reaction ⏳", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 5000 }) });
    place.world.discord.addWeather(({ method, path }) =>
      method === "POST" && path === `/channels/${PLACES.general}/messages`
        ? Response.json({ code: 50013, message: "Missing Permissions" }, { status: 403 })
        : null,
    );
    place.write(theo, `${BOT} one`);
    await place.pass(100);
    const id = place.write(mira, `${BOT} two`);
    await place.rest();
    const text = refusalText({ reason: "no_access", forMs: 15 * 60_000 });
    expect([dmOf(place, theo), dmOf(place, mira), reactions(place, id)]).toEqual([[text], [text], []]);
  });

  it("gets answers that don't point to the question if the bot may not read the history", async () => {
    const place = await createMessageHarness({ discord: { botReadsHistory: false } });
    place.write(theo, `${BOT} one`);
    await place.rest();
    expect(place.reads()).toEqual(["Hello there."]);
  });
});

describe("the buttons of an answer to a message", () => {
  it("bring an interaction of their own: Retry asks again", async () => {
    let count = 0;
    const place = await createMessageHarness({
      answerTo: () => (count++ < 1 ? { texts: ["Half"], fails: "overloaded" } : { texts: ["Whole."] }),
    });
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(place.reads().at(-1)).toMatch(/\[Retry\]$/);
    await place.click(theo, "Retry");
    await place.rest();
    expect(place.reads().at(-1)).toBe("Whole.");
    expect(place.question()).toBe("[Theo · u1]\nhello?");
    expect(place.reads().join()).not.toContain("[Retry]");
  });

  it("bring an interaction of their own: Approve lets the turn continue by the bot's token", async () => {
    const place = await createMessageHarness({
      answerTo: ({ messages }) =>
        messages.some(({ role }) => role === "tool")
          ? { texts: ["Purged."] }
          : { texts: ["I could."], calls: [{ name: "purge" }] },
    });
    place.write(theo, `${BOT} go`);
    await place.pass(10_000);
    expect(place.reads().at(-1)).toContain("[Approve Deny Stop]");
    await place.click(theo, "Approve");
    await place.rest();
    // Discord would show the line for ten seconds, because only a new message ends it and the answer needs none.
    expect(place.requests().filter((line) => line.includes("typing"))).toHaveLength(1);
    expect(place.reads()[0]).toContain("Purged.");
    expect(place.world.effects).toHaveLength(1);
  });
});

describe("what is kept of a channel in which nothing was asked", () => {
  it("is deleted after a day, with the storage", async () => {
    const place = await createMessageHarness();
    place.write(theo, BOT);
    await place.pass(60_000);
    expect(place.world.database.sql.exec("SELECT key FROM marks").toArray()).toEqual([{ key: `help:${theo}` }]);
    await place.pass(25 * HOUR_MS);
    expect(place.world.database.sql.exec("SELECT name FROM sqlite_master WHERE name = 'marks'").toArray()).toEqual([]);
  });
});

describe("an answer in several messages", () => {
  it("points to its question with the first one, and nonces with the question's id fit Discord's 25 characters", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["a line of the answer\n".repeat(200)] }) });
    const id = place.write(theo, `${BOT} go`);
    await place.rest();
    const created = place.world.discord.log.filter(
      ({ method, path }) => method === "POST" && path === `/channels/${PLACES.general}/messages`,
    );
    const bodies = created.map(({ body }) => body as { nonce: string; message_reference?: { message_id: string } });
    expect(bodies.map(({ nonce, message_reference }) => [nonce, message_reference?.message_id])).toEqual([
      [`${id}-0`, id],
      [`${id}-1`, undefined],
      [`${id}-2`, undefined],
    ]);
    expect(Math.max(...bodies.map(({ nonce }) => nonce.length))).toBeLessThanOrEqual(25);
    expect(place.world.discord.violations).toEqual([]);
    expect(APPLICATION.id).not.toBe(id);
  });
});
