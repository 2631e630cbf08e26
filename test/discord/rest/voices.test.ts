// A persona's voice: the webhook that is created once, and a reply that is sent through it.
import { describe, expect, it } from "vitest";
import type { BotFailure } from "../../../src/discord/rest/bot-request.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";
import { createVoices, type Voices } from "../../../src/discord/rest/voices.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createTestClock } from "../../support/clock.ts";
import { delivery } from "../../support/pump-harness.ts";

const { general, thread } = PLACES;
const newDiscord = () =>
  createLocalDiscord({ now: () => Date.UTC(2030, 0, 1), dispatch: async () => Response.json({ type: 5 }) });

/** A finder of a new life, with a clock of its own. */
const voicesOver = (discord: LocalDiscord, { timers, now: clock } = createTestClock(0)): Voices =>
  createVoices({
    fetch: (url, init) => discord.fetch(new Request(url, init)),
    baseUrl: "http://discord.local/api/v10",
    userAgent: "DiscordBot (https://example.org, 1.0)",
    botToken: APPLICATION.botToken,
    applicationId: APPLICATION.id,
    rateLimiter: new RateLimiter(clock, { info() {}, warn() {}, error() {} }),
    clock,
    timers,
  });
const asked = (discord: LocalDiscord) => discord.log.map(({ method, route, status }) => `${method} ${route} ${status}`);
const LIST = "GET /channels/{channel}/webhooks";
const MAKE = "POST /channels/{channel}/webhooks";

describe("the webhook of a channel", () => {
  it("is created once, kept in memory, and found again by a later life", async () => {
    const discord = newDiscord();
    const voices = voicesOver(discord);
    const first = await voices.of(general);
    expect([await voices.of(general), await voicesOver(discord).of(general)]).toEqual([first, first]);
    expect(asked(discord)).toEqual([`${LIST} 200`, `${MAKE} 200`, `${LIST} 200`]);
  });

  it("is never one that another application created, or that only follows another channel", async () => {
    const discord = newDiscord();
    const others = [
      { type: 1, application_id: "7", id: "71", token: "a" },
      { type: 2, application_id: APPLICATION.id, id: "72", token: "b" },
      { type: 1, application_id: APPLICATION.id, id: "73" },
    ];
    discord.failNext(1, Response.json(others));
    expect(await voicesOver(discord).of(general)).toMatchObject({
      ok: true,
      voice: { id: expect.not.stringMatching(/^7/) },
    });
    expect(asked(discord)).toEqual([`${LIST} 200`, `${MAKE} 200`]);
  });

  it("is looked up again once it is forgotten, and created again if it is gone", async () => {
    const discord = newDiscord();
    const voices = voicesOver(discord);
    const first = await voices.of(general);
    const id = first.ok ? first.voice.id : "";
    await discord.fetch(
      new Request(`http://discord.local/api/v10/webhooks/${id}`, {
        method: "DELETE",
        headers: { "user-agent": "DiscordBot (x, 1)", authorization: `Bot ${APPLICATION.botToken}` },
      }),
    );
    voices.forget(general);
    const second = await voices.of(general);
    expect([second.ok, second.ok && second.voice.id !== id]).toEqual([true, true]);
  });

  it.each([
    ["the permission is missing", { botManagesWebhooks: false }, general, /^the bot lacks the permission/],
    ["the bot is not a member", { botIsMember: false }, general, /^the bot is not a member here/],
    ["the channel can't have webhooks", {}, thread, /^/],
  ])("is unavailable where %s", async (_, options, place, why) => {
    const discord = newDiscord();
    discord.configure(options);
    expect(await voicesOver(discord).of(place)).toEqual({ ok: false, error: expect.stringMatching(why) });
  });

  it("is unavailable if fifteen others exist, or while Discord can't be reached", async () => {
    const discord = newDiscord();
    discord.failNext(1, new Response("[]", { headers: { "content-type": "application/json" } }));
    discord.failNext(
      1,
      Response.json({ code: 30007, message: "Maximum number of webhooks reached (15)" }, { status: 400 }),
      ({ method }) => method === "POST",
    );
    expect(await voicesOver(discord).of(general)).toEqual({ ok: false, error: expect.stringContaining("(15)") });
    discord.failNext(1, new Response("upstream", { status: 502 }));
    expect(await voicesOver(discord).of(general)).toMatchObject({ ok: false, retryable: true });
    discord.failNext(1, new Response("<html>Forbidden</html>", { status: 403 }));
    expect(await voicesOver(discord).of(general)).toMatchObject({ ok: false, retryable: true });
  });

  it.each<[number, unknown, boolean]>([
    [403, {}, false],
    [499, {}, false],
    [500, {}, true],
    [429, {}, true],
  ])("that Discord refuses with %i and %j is unavailable; temporarily: %s", async (status, body, mayPass) => {
    const discord = newDiscord();
    discord.failNext(1, Response.json(body, { status }));
    const { retryable = false } = (await voicesOver(discord).of(general)) as BotFailure;
    expect(retryable).toBe(mayPass);
  });
});

describe("Discord's limits", () => {
  it("hold back what follows a list of webhooks that used them up", async () => {
    const discord = newDiscord();
    const clock = createTestClock(0);
    const voices = voicesOver(discord, clock);
    const headers = { "X-RateLimit-Bucket": "b", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "3" };
    discord.failNext(1, Response.json([], { headers }));
    const found = voices.of(general);
    await clock.advance(2999);
    expect(asked(discord)).toEqual([`${LIST} 200`]);
    await clock.advance(1);
    expect(asked(discord)).toEqual([`${LIST} 200`, `${MAKE} 200`]);
    expect((await found).ok).toBe(true);
  });

  it("that refuse a list don't cost the persona its voice: the list is requested again when they allow it", async () => {
    const discord = newDiscord();
    const clock = createTestClock(0);
    const body = { message: "You are being rate limited.", retry_after: 3, global: false };
    discord.failNext(1, Response.json(body, { status: 429, headers: { "X-RateLimit-Scope": "user" } }));
    const found = voicesOver(discord, clock).of(general);
    await clock.advance(2999);
    expect(asked(discord)).toEqual([`${LIST} 429`]);
    await clock.advance(1);
    expect(asked(discord)).toEqual([`${LIST} 429`, `${LIST} 200`, `${MAKE} 200`]);
    expect((await found).ok).toBe(true);
  });

  it("that refuse a list repeatedly are waited for twice: then the persona speaks without a voice", async () => {
    const discord = newDiscord();
    const clock = createTestClock(0);
    const body = { message: "You are being rate limited.", retry_after: 1, global: false };
    discord.failNext(9, Response.json(body, { status: 429, headers: { "X-RateLimit-Scope": "user" } }));
    const found = voicesOver(discord, clock).of(general);
    await clock.advance(9000);
    expect([asked(discord), clock.pending()]).toEqual([Array(3).fill(`${LIST} 429`), 0]);
    expect(await found).toMatchObject({ ok: false, retryable: true });
  });
});

it("waits for no long limit, such as that on new webhooks: the persona speaks without a voice", async () => {
  const discord = newDiscord();
  const body = { message: "You are being rate limited.", retry_after: 1800, global: false };
  const refusal = Response.json(body, { status: 429, headers: { "X-RateLimit-Scope": "user" } });
  discord.failNext(1, refusal, ({ method }) => method === "POST");
  const clock = createTestClock(0);
  expect(await voicesOver(discord, clock).of(general)).toMatchObject({ ok: false, retryable: true });
  expect([asked(discord), clock.pending()]).toEqual([[`${LIST} 200`, `${MAKE} 429`], 0]);
});

describe("a reply in a persona's voice", () => {
  it("is created and edited by the webhook in the thread, under the persona's name, and pings no one", async () => {
    const reply = await delivery({}, [], { voiced: true });
    reply.show("Good day");
    await reply.clock.advance(1000);
    expect(await reply.finish("Good day, @everyone.")).toEqual({ ok: true });
    const messages = reply.discord.messages(thread, PEOPLE.theo);
    expect(messages.map(({ author, content, pings }) => [author.name, author.avatarUrl, content, pings])).toEqual([
      ["Ada", "https://example.org/ada.png", "Good day, @everyone.", []],
    ]);
    expect(reply.bodies().at(2)).toEqual({
      content: "Good day",
      components: [expect.anything()],
      username: "Ada",
      avatar_url: "https://example.org/ada.png",
      flags: 4,
      allowed_mentions: { parse: [] },
    });
    expect(
      reply.discord.log.slice(2).map(({ method, path }) => `${method} ${path.replaceAll(/\d{10,}/g, "…")}`),
    ).toEqual([
      "POST /webhooks/…/webhook.…?wait=true&thread_id=…",
      "PATCH /webhooks/…/webhook.…/messages/…?thread_id=…",
    ]);
  });

  it("is never posted again if the outcome of its first message is unknown", async () => {
    const reply = await delivery({}, [], { voiced: true });
    reply.network((method) => (method === "POST" ? "lose the answer" : null));
    expect(await reply.finish("Good day.")).toEqual({ ok: false, reason: "lost" });
    expect(reply.discord.messages(thread, PEOPLE.theo)).toHaveLength(1);
  });
});

describe("a reply that follows a scene's header", () => {
  it("creates a first message of its own, and leaves the header alone", async () => {
    const line = await delivery();
    await line.finish("", "-# Scene: Ada");
    const reply = line.following();
    reply.show({ text: "**Ada:** Good", line: null });
    await line.clock.advance(1000);
    void reply.finish({ text: "**Ada:** Good day.", line: null });
    await line.clock.advance(1000);
    expect(line.requests()).toEqual([
      '0 PATCH original "-# Scene: Ada" -stop → 200',
      '150 POST followup "**Ada:** Good" +stop → 200',
      '1000 PATCH part "**Ada:** Good day." -stop → 200',
    ]);
    expect(line.reads()).toEqual(["-# Scene: Ada", "**Ada:** Good day."]);
  });
});
