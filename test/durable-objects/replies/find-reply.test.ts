// An answer to a message after an outage longer than the nonce of its first message is valid: it is there once, whatever became of the first try.
import { describe, expect, it } from "vitest";
import { findReply } from "../../../durable-objects/replies/find-reply.ts";
import { NONCE_LIFE_MS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";
import { unlimited } from "../../tools/unlimited.ts";

const OUTAGE_MS = NONCE_LIFE_MS + 60_000;

/** Lets Theo ask while Discord answers nothing for three minutes. `takes`: Discord posts the first message all the same. */
async function afterOutage(takes: boolean, meanwhile: (place: MessageHarness) => void = () => {}) {
  const place = await createMessageHarness();
  const { discord, clock } = place.world;
  const until = clock.now() + OUTAGE_MS;
  let taken = 0;
  discord.addWeather(({ method, path }) => {
    if (clock.now() >= until) return null;
    const isFirst = method === "POST" && path.endsWith("/messages") && ++taken === 1;
    return takes && isFirst ? "lose the answer" : new Response(null, { status: 503 });
  });
  place.write(PEOPLE.theo, `${BOT} hello`);
  await place.pass(OUTAGE_MS / 2);
  meanwhile(place);
  await place.rest();
  return place;
}

const isAtRest = ({ world }: MessageHarness) => [world.hasWork(), world.life?.timers ?? 0];

describe("an answer whose first message is still unconfirmed after its nonce has expired", () => {
  it.each([
    ["was not made", false, () => {}],
    ["was made", true, () => {}],
    ["was not made, and a life ended", false, ({ world }: MessageHarness) => world.restart()],
    ["was made, and a life ended", true, ({ world }: MessageHarness) => world.restart()],
  ])("is there once: the message %s", async (_, takes, meanwhile) => {
    const place = await afterOutage(takes, meanwhile);
    expect(place.reads()).toEqual(["Hello there."]);
    expect(isAtRest(place)).toEqual([false, 0]);
  });

  it("is given up if the bot may not read the channel", async () => {
    const place = await afterOutage(false, ({ world }) => world.discord.configure({ botReadsHistory: false }));
    expect(place.reads()).toEqual([]);
    expect(place.world.logs.some(({ text }) => text.includes('"reason":"lost"'))).toBe(true);
    expect(isAtRest(place)).toEqual([false, 0]);
  });

  it("is given up if more was said since than Discord returns at once", async () => {
    const place = await afterOutage(false, ({ world }) => {
      for (let said = 0; said < 100; said++)
        world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "And?" });
    });
    expect(place.reads()).toEqual([]);
    expect(isAtRest(place)).toEqual([false, 0]);
  });
});

/** What Discord lists after a question, for a bot whose application is 8 and whose user is 9. */
function findIn(messages: object[], link: string, recentTurns: () => object[] = () => []) {
  const line = { timestamp: "2030-01-01T00:00:00.000Z", content: "", author: { id: "1", username: "Theo" } };
  const listed = [...messages, { id: "30" }].map((one) => ({ ...line, ...one }));
  const discord = {
    baseUrl: "http://127.0.0.1",
    userAgent: "test",
    botToken: "b",
    fetch: async () => Response.json(listed),
    ...unlimited(),
  };
  const config = { discord: { applicationId: "8", userId: "9" } };
  const store = { recentTurns };
  const ports = { discord, config, store } as unknown as Parameters<typeof findReply>[0];
  return findReply(
    ports,
    { channelId: "2", userId: "9", receivedAt: 0 },
    { since: "30", link, isThread: false, byWebhook: link !== "" },
  );
}

describe("an application whose bot user has another id", () => {
  const parley = { id: "9", username: "Parley" };
  const rex = { id: "70", username: "Rex" };
  const reply = { type: 19, message_reference: { message_id: "30" } };

  it.each<[string, object, string, unknown]>([
    ["its bot's reply", { author: parley, ...reply }, "", { id: "31", ephemeral: false }],
    ["no reply by another bot", { author: rex, ...reply }, "", "none"],
    ["what its webhook posted", { author: rex, application_id: "8" }, "-# to Theo", { id: "31", ephemeral: false }],
    ["no message of its bot if a webhook would have posted", { author: parley }, "-# to Theo", "none"],
  ])("finds %s", async (_, message, link, found) => {
    expect(await findIn([{ id: "31", ...message }], link)).toEqual(found);
  });
});

it("the channel's turns are read only once, however many messages without words a webhook has posted", async () => {
  const posted = Array.from({ length: 9 }, (_, n) => ({ id: `${40 + n}`, application_id: "8" }));
  const parts = posted.slice(1).map(({ id }) => ({ id }));
  let reads = 0;
  const found = await findIn(posted, "-# to Theo", () => {
    reads++;
    return [{ parts }];
  });
  expect([found, reads]).toEqual([{ id: "40", ephemeral: false }, 1]);
});
