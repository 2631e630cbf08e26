// A persona's voice: the webhook that is created once, and a reply that is sent through it.
import { describe, expect, it } from "vitest";
import { createVoices, type Voices } from "../../../src/discord/rest/voices.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { delivery } from "../../support/pump-harness.ts";

const { general, thread } = PLACES;
const newDiscord = () =>
  createLocalDiscord({ now: () => Date.UTC(2030, 0, 1), dispatch: async () => Response.json({ type: 5 }) });

/** A finder of a new life. */
const voicesOver = (discord: LocalDiscord): Voices =>
  createVoices({
    fetch: (url, init) => discord.fetch(new Request(url, init)),
    baseUrl: "http://discord.local/api/v10",
    userAgent: "DiscordBot (https://example.org, 1.0)",
    botToken: APPLICATION.botToken,
    applicationId: APPLICATION.id,
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

  it("is looked up again once it is forgotten, and created again when it is gone", async () => {
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
    ["the permission is missing", { botManagesWebhooks: false }, general, "not_allowed"],
    ["the bot is not a member", { botIsMember: false }, general, "not_allowed"],
    ["the channel can't have webhooks", {}, thread, "not_allowed"],
  ])("is unavailable where %s", async (_, options, place, fault) => {
    const discord = newDiscord();
    discord.configure(options);
    expect(await voicesOver(discord).of(place)).toEqual({ ok: false, fault });
  });

  it("is unavailable where fifteen others exist, or while Discord can't be reached", async () => {
    const discord = newDiscord();
    discord.failNext(1, new Response("[]", { headers: { "content-type": "application/json" } }));
    discord.failNext(
      1,
      Response.json({ code: 30007, message: "Maximum number of webhooks reached (15)" }, { status: 400 }),
      ({ method }) => method === "POST",
    );
    expect(await voicesOver(discord).of(general)).toEqual({ ok: false, fault: "full" });
    discord.failNext(1, new Response("upstream", { status: 502 }));
    expect(await voicesOver(discord).of(general)).toEqual({ ok: false, fault: "unreachable" });
    discord.failNext(1, new Response("<html>Forbidden</html>", { status: 403 }));
    expect(await voicesOver(discord).of(general)).toEqual({ ok: false, fault: "unreachable" });
  });

  it.each<[number, unknown, string]>([
    [403, {}, "not_allowed"],
    [403, "no", "not_allowed"],
    [499, {}, "not_allowed"],
    [500, {}, "unreachable"],
    [429, {}, "unreachable"],
  ])("that Discord refuses with %i and %j is unavailable: %s", async (status, body, fault) => {
    const discord = newDiscord();
    discord.failNext(1, Response.json(body, { status }));
    expect(await voicesOver(discord).of(general)).toEqual({ ok: false, fault });
  });
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

  it("is never posted again when the outcome of its first message is unknown", async () => {
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
